import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { main } from "../../cli/listening.js";

/** The moment in which all of it takes place: 2026-03-01T00:00:00Z. */
const NOW = "1772323200";

/** How a command ended, and what it said. */
interface Said {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A project with a history, and a folder for the state of the commands that look at it. */
export interface Demo {
  readonly root: string;
  readonly env: NodeJS.ProcessEnv;
  /** Runs `toolwright analyze` in the project, with nobody at a terminal. */
  run(words: readonly string[], more?: NodeJS.ProcessEnv): Promise<Said>;
  put(name: string, text: string): void;
  git(...args: readonly string[]): string;
  /** Commits all that is there, on a day of 2026. */
  commit(day: string, author?: string): void;
  remove(): void;
}

/** Makes an empty project. */
export function makeDemo(): Demo {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), "toolwright-analyze-")));
  const root = path.join(folder, "demo");
  mkdirSync(root);
  const env = { ...process.env, XDG_STATE_HOME: path.join(folder, "state"), SOURCE_DATE_EPOCH: NOW, LC_ALL: "C" };
  const own = { ...env, HOME: folder, GIT_CONFIG_NOSYSTEM: "1" };
  const git = (...args: readonly string[]): string =>
    execFileSync("git", args, { cwd: root, encoding: "utf8", env: own, stdio: ["ignore", "pipe", "pipe"] });
  git("init", "--quiet", "--initial-branch=main");
  return {
    root,
    env,
    git,
    run: (words, more) => start([main, "analyze", ...words], root, { ...env, ...more }),
    put(name, text) {
      mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
      writeFileSync(path.join(root, name), text);
    },
    commit(day, author = "Ada Lovelace") {
      const [name, address] = [author, `${author.split(" ")[0]?.toLowerCase()}@example.com`];
      git("add", "--all");
      execFileSync("git", ["-c", "commit.gpgsign=false", "commit", "--quiet", "-m", "a change"], {
        cwd: root,
        env: {
          ...own,
          GIT_AUTHOR_NAME: name,
          GIT_AUTHOR_EMAIL: address,
          GIT_AUTHOR_DATE: `2026-${day}T12:00:00Z`,
          GIT_COMMITTER_NAME: name,
          GIT_COMMITTER_EMAIL: address,
          GIT_COMMITTER_DATE: `2026-${day}T12:00:00Z`,
        },
      });
    },
    remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }),
  };
}

/** Runs Node until it ends. */
function start(args: readonly string[], cwd: string, env: NodeJS.ProcessEnv): Promise<Said> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
    let [stdout, stderr] = ["", ""];
    child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, stdout, stderr }));
  });
}

/** A function with so many conditions, one inside the other. */
function nested(name: string, depth: number): string {
  const inner = Array.from({ length: depth }, (_, at) => `${"  ".repeat(at + 1)}if (value > ${at}) {\n`).join("");
  const ends = Array.from({ length: depth }, (_, at) => `${"  ".repeat(depth - at)}}\n`).join("");
  return `export function ${name}(value: number): void {\n${inner}${"  ".repeat(depth + 1)}value--;\n${ends}}\n`;
}

/** A project of a few files: one that is complex and often changed, one that is complex, and small ones. */
export function fillDemo(demo: Demo): void {
  demo.put("src/core.ts", nested("decide", 6));
  demo.put("src/still.ts", nested("wait", 8));
  demo.put(
    "src/small.ts",
    "// FIXME: this fails for zero\nexport const half = (value: number): number => value / 2;\n",
  );
  demo.commit("02-01");
  demo.put("src/core.ts", nested("decide", 7));
  demo.commit("02-10", "Grace Hopper");
  demo.put(
    "src/core.ts",
    `import { half } from "./small.js";\n\n${nested("decide", 8)}\nexport const low = half(1);\n`,
  );
  demo.commit("02-20");
}
