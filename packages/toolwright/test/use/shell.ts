import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { Child } from "../../../engine/test/stdio/child.js";
import { folder, main } from "../cli/listening.js";

const root = fileURLToPath(new URL("../../../../", import.meta.url));

/** The commands of servers: our own example, somebody else's, and this build. */
export const EVERYTHING = [process.execPath, `${root}examples/everything/main.mjs`];
export const THEIRS = [process.execPath, `${root}node_modules/@modelcontextprotocol/server-everything/dist/index.js`];
export const OURS = [process.execPath, main, "serve", "--no-config"];

/** How a command ended, and what it wrote. */
export interface Output {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A user with a home and a project, neither of which has anything in it but what a test puts there. */
export class User {
  readonly home = folder();
  readonly project = folder();

  /** Writes a file below the home, or below the project, and gives its path. */
  keep(place: "home" | "project", name: string, content: unknown): string {
    const file = path.join(this[place], name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
    return file;
  }

  /** Runs `toolwright` in the project, with nothing on stdin. */
  async run(words: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Output> {
    const child = this.start(process.execPath, [main, ...words], env);
    child.process.stdin.end();
    const { code } = await child.ended;
    return { code, stdout: [...child.lines, child.unfinished].join("\n"), stderr: child.stderr };
  }

  /** Starts any program in the project. */
  start(command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Child {
    const line = ["-c", 'cd "$1" && shift && exec "$@"', "sh", this.project, command, ...args];
    return new Child("sh", line, { ...this.#surroundings, ...env });
  }

  get #surroundings(): NodeJS.ProcessEnv {
    const elsewhere = ["XDG_CONFIG_HOME", "CODEX_HOME", "CLAUDE_CONFIG_DIR", "GEMINI_CLI_HOME", "OPENCODE_CONFIG"];
    const unset = [...elsewhere, "FORCE_COLOR", "NO_COLOR", "TOOLWRIGHT_API_KEY"].map((name) => [name, undefined]);
    return { ...Object.fromEntries(unset), HOME: this.home };
  }
}

/** Serves the example over HTTP, and over HTTP+SSE, and gives both addresses. */
export async function serveEverything(): Promise<{ readonly http: string; readonly sse: string }> {
  const [command = "", ...args] = EVERYTHING;
  const child = new Child(command, [...args, "--http", "0", "--sse"]);
  await child.until(() => /is at \S+\n/.test(child.stderr), "its address");
  const [, http = ""] = /is at (\S+)\n/.exec(child.stderr) ?? [];
  return { http, sse: new URL("/sse", http).href };
}
