import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";
import { findYoungNode } from "../support/young-node.js";

const packages = fileURLToPath(new URL("../../node_modules/.cache/interop-agents/node_modules/", import.meta.url));
const TIME_LIMIT_MS = 60_000;
const { platform, arch } = process;
const exe = platform === "win32" ? ".exe" : "";
const node = findYoungNode();

const system = platform === "win32" ? "windows" : platform;
const baseline = arch === "x64" ? "-baseline" : "";

/** The assistants, by the command that starts them. */
const PROGRAMS = {
  claude: [`${packages}@anthropic-ai/claude-code-${platform}-${arch}/claude${exe}`],
  gemini: [node ?? "node", `${packages}@google/gemini-cli/bundle/gemini.js`],
  opencode: [`${packages}opencode-${system}-${arch}${baseline}/bin/opencode${exe}`],
} as const;

/** A third-party assistant. */
export type AgentName = keyof typeof PROGRAMS;

/** Whether an assistant can run here. */
export const isHere = (agent: AgentName): boolean =>
  node !== undefined && PROGRAMS[agent].every((word) => existsSync(word));

/** How to get a missing one; not every platform has all of them. */
export const INSTALL = 'run "node tests/conformance/install.mjs" and "node tests/interop/agents/install.mjs" first';

/** The exit code of a program and its output without colours. */
interface Ended {
  readonly code: number | null;
  readonly text: string;
}

/** A home folder with nothing but an assistant and a working folder. */
export class Home {
  readonly folder = mkdtempSync(path.join(tmpdir(), "agent-"));
  readonly work = path.join(this.folder, "work");

  constructor() {
    mkdirSync(this.work);
  }

  /** Runs the assistant's own command line. */
  ask(agent: AgentName, ...args: readonly string[]): Promise<Ended> {
    return this.run([...PROGRAMS[agent], ...args]);
  }

  /** Runs a program with that home folder, in the working folder. */
  run([command = "", ...args]: readonly string[]): Promise<Ended> {
    const child = spawn(command, args, {
      cwd: this.work,
      env: this.#environment(),
      stdio: ["ignore", "pipe", "pipe"],
      timeout: TIME_LIMIT_MS,
    });
    let said = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => {
        said += text;
      });
    return new Promise((resolve, reject) => {
      child.on("error", reject);
      child.on("close", (code) => resolve({ code, text: stripVTControlCharacters(said) }));
    });
  }

  /** Settings and keys of the developer are absent, telemetry is off, and no other machine can be reached. */
  #environment(): NodeJS.ProcessEnv {
    return {
      PATH: process.env["PATH"],
      SYSTEMROOT: process.env["SYSTEMROOT"],
      HOME: this.folder,
      USERPROFILE: this.folder,
      HTTP_PROXY: "http://127.0.0.1:9",
      HTTPS_PROXY: "http://127.0.0.1:9",
      NO_PROXY: "127.0.0.1,localhost",
      DO_NOT_TRACK: "1",
      DISABLE_TELEMETRY: "1",
      DISABLE_AUTOUPDATER: "1",
      DISABLE_ERROR_REPORTING: "1",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      // Otherwise it starts no server in a folder that is not marked as trusted.
      GEMINI_CLI_TRUST_WORKSPACE: "true",
      GEMINI_TELEMETRY_ENABLED: "false",
      OPENCODE_DISABLE_AUTOUPDATE: "1",
      OPENCODE_DISABLE_MODELS_FETCH: "1",
      npm_config_offline: "true",
    };
  }

  clear(): void {
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
