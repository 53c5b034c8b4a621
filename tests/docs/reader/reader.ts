import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { root } from "../pages.js";

const MAIN = `${root}packages/toolwright/dist/main.js`;
const ATTEND = fileURLToPath(new URL("./attend.mjs", import.meta.url));
const SERVER = fileURLToPath(new URL("./server.mjs", import.meta.url));
const EVERYTHING = "examples/everything/main.mjs";
const node = `"${process.execPath}"`;

/**
 * The programs of a reader, who says yes to what is asked and stops servers once they serve. Those that would need a registry, a
 * client or another language look at what they are told and do with what is here.
 */
const PROGRAMS: Readonly<Record<string, string>> = {
  toolwright: `
case "$1" in
  install | uninstall) if [ $# = 1 ]; then set -- "$1" --all; fi; command="$1"; shift; set -- "$command" --yes "$@" ;;
  serve | dev) if [ /dev/stdin -ef /dev/null ]; then exec ${node} "${ATTEND}" "${MAIN}" "$@"; fi ;;
esac
exec ${node} "${MAIN}" "$@"`,
  npm: `
case "$*" in
  install) mkdir -p node_modules && cp -R "$READER/modules/." node_modules ;;
  "install --global toolwright") command -v toolwright ;;
  "run runtimes"*) grep '"runtimes":' "${root}package.json" ;;
  ci) grep lockfileVersion "${root}package-lock.json" ;;
  "run everything --silent" | "run everything -- "*)
    grep '"everything": .* node ${EVERYTHING}"' "${root}package.json"
    shift 3
    exec ${node} "${ATTEND}" "${root}${EVERYTHING}" "$@"
    ;;
  *) PATH="\${PATH#*:}" exec npm "$@" ;;
esac`,
  npx: `
case "$1 $2" in
  "-y @modelcontextprotocol/server-everything") exec ${node} "${root}node_modules/.bin/mcp-server-everything" ;;
  "@modelcontextprotocol/inspector --cli")
    [ "$3 $4 $5 $6" = "node ${EVERYTHING} --method resources/list" ] && exec toolwright list resources -- node "${root}$4"
    ;;
esac
exit 99`,
  claude: `[ "$1 $2 $4" = "mcp add --" ] && shift 4 && command -v "$1"`,
  man: `[ "$*" = "-l -" ] && grep -F ".TH"`,
  python: `[ "$*" = server.py ] && exec ${node} my-server.mjs`,
};

/** Further names under which the pages have the server, beside server.mjs. */
const SERVERS = ["server.js", "my-server.mjs", "old-server.mjs", "new-server.mjs", "tickets.js"];

/** Somebody who reads a page and does what it says, in a home of their own. */
export interface Reader {
  readonly home: string;
  /** The project that they work on. */
  readonly app: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Makes a reader with a project under git, programs, and a client that knows a server. */
export function createReader(): Reader {
  const clean = realpathSync(mkdtempSync(path.join(os.tmpdir(), "toolwright-reader-")));
  const home = path.join(clean, "home");
  const app = path.join(home, "work/app");
  for (const folder of ["work/app/docs/guides", ".cursor", ".config/fish/completions", ".local/share/man/man1"])
    mkdirSync(path.join(home, folder), { recursive: true });
  const programs = path.join(clean, "programs");
  mkdirSync(programs);
  for (const [name, text] of Object.entries(PROGRAMS))
    write(path.join(programs, name), `#!/usr/bin/env bash\n${text}\n`, 0o755);
  linkModules(path.join(clean, "modules"), path.join(programs, "toolwright"));
  write(
    path.join(home, ".cursor/mcp.json"),
    JSON.stringify({ mcpServers: { github: { command: process.execPath, args: [path.join(app, "my-server.mjs")] } } }),
  );
  const env = {
    PATH: [programs, path.dirname(process.execPath), process.env["PATH"] ?? ""].join(path.delimiter),
    HOME: home,
    READER: clean,
    TOKEN: "a token",
    TICKETS_TOKEN: "a token",
    GIT_CONFIG_NOSYSTEM: "1",
    npm_config_update_notifier: "false",
  };
  createProject({ home, app, env });
  return { home, app, env };
}

/** The packages, as npm would have put them there. */
function linkModules(folder: string, command: string): void {
  for (const inside of [".bin", "@toolwright", "@types"]) mkdirSync(path.join(folder, inside), { recursive: true });
  symlinkSync(`${root}packages/engine`, path.join(folder, "@toolwright/engine"));
  symlinkSync(`${root}packages/toolwright`, path.join(folder, "toolwright"));
  for (const name of ["@types/node", "undici-types", "typescript", "zod", "@modelcontextprotocol"])
    symlinkSync(`${root}node_modules/${name}`, path.join(folder, name));
  symlinkSync(command, path.join(folder, ".bin/toolwright"));
  symlinkSync(`${root}node_modules/typescript/bin/tsc`, path.join(folder, ".bin/tsc"));
}

function createProject({ app, env }: Reader): void {
  const inApp = (file: string) => path.join(app, file);
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=Ada", "-c", "user.email=ada@example.com", ...args], {
      cwd: app,
      env,
      stdio: "pipe",
    });
  for (const folder of ["src/api", "dist", "packages"]) mkdirSync(inApp(folder), { recursive: true });
  write(inApp("package.json"), '{ "name": "app", "type": "module", "private": true }\n');
  write(inApp(".gitignore"), "node_modules\npackages\n");
  write(inApp("README.md"), "# App\n\nPays orders.\n");
  write(inApp("src/main.ts"), "export const add = (a: number, b: number) => a + b;\n");
  write(
    inApp("src/api/orders.ts"),
    "export function find(id: string) {\n  return id === '' ? undefined : { id };\n}\n",
  );
  for (const guide of ["http", "todo", "knowledge", "proxy"])
    copyFileSync(`${root}docs/guides/${guide}.md`, inApp(`docs/guides/${guide}.md`));
  write(inApp("docs/guides/limits.md"), "# Limits\n\nA rate limit holds back whoever asks too often.\n");
  copyFileSync(SERVER, inApp("server.mjs"));
  for (const file of SERVERS) write(inApp(file), 'import "./server.mjs";\n');
  for (const file of ["dist/server.js", "src/server.ts"]) write(inApp(file), 'import "../server.mjs";\n');
  write(inApp("server.py"), "# Stands for a server in another language.\n");
  cpSync(path.join(env["READER"] ?? "", "modules"), inApp("node_modules"), { recursive: true, verbatimSymlinks: true });
  symlinkSync(`${root}packages/toolwright`, inApp("packages/toolwright"));
  git("init", "--quiet", "--initial-branch", "main");
  git("add", "src/main.ts", "README.md", ".gitignore", "package.json");
  git("commit", "--quiet", "--message", "Begin");
  git("update-ref", "refs/remotes/origin/main", "HEAD");
  git("checkout", "--quiet", "-b", "work");
  git("add", "src/api");
  git("commit", "--quiet", "--message", "Find orders");
  write(inApp("src/main.ts"), "export const add = (a: number, b: number) => b + a;\n");
}

/** Starts the server of the pages where others can reach it, and gives where. */
export async function listen(
  reader: Reader,
  ...args: string[]
): Promise<{ readonly child: ChildProcess; readonly at: string }> {
  const child = spawn(process.execPath, ["my-server.mjs", ...args], {
    cwd: reader.app,
    env: reader.env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const at = await new Promise<string>((resolve, reject) => {
    child.stdout.setEncoding("utf8").once("data", (line: string) => resolve(line.trim()));
    child.once("exit", (code) => reject(new Error(`The server ended with ${code}`)));
  });
  return { child, at };
}

/** What came of words of a shell. */
export interface Ended {
  readonly code: number | null;
  readonly said: string;
  /** Where it was in the end. */
  readonly folder: string;
}

/** Has bash do what words say, in a folder, without anybody who could be asked. */
export async function run({ env }: Reader, words: string, cwd: string, signal: AbortSignal): Promise<Ended> {
  const args = ["-e", "-o", "pipefail", "-c", `exec 2>&1\n${words}\npwd >&3`];
  const child = spawn("bash", args, { cwd, env, signal, stdio: ["ignore", "pipe", "inherit", "pipe"] });
  const heard = { said: "", folder: "" };
  child.stdout?.setEncoding("utf8").on("data", (text: string) => void (heard.said += text));
  child.stdio[3]?.on("data", (bytes: Buffer) => void (heard.folder += bytes.toString()));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once("close", resolve).once("error", reject);
  });
  return { code, said: heard.said, folder: heard.folder.trim() || cwd };
}

function write(file: string, text: string, mode = 0o644): void {
  writeFileSync(file, text);
  chmodSync(file, mode);
}
