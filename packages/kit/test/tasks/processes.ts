import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { buildProgram } from "../../../../tests/support/program.js";

const require = createRequire(import.meta.url);

/** A folder for files of a test, with the program of `task-process.ts` in it. */
export interface ProcessFolder {
  readonly folder: string;
  /** Starts the program; waits for its first output. */
  start(command: string, file: string, name?: string, uid?: number): Promise<Started>;
  remove(): void;
}

/** A running program. */
interface Started {
  /** Its first line. */
  readonly output: string;
  /** What it has written to stderr. */
  readonly stderr: () => string;
  /** Ends it with a signal, and waits until it has ended. */
  kill(signal: NodeJS.Signals): Promise<void>;
  readonly ended: Promise<unknown>;
}

/** Creates the folder. */
export async function createProcessFolder(): Promise<ProcessFolder> {
  const folder = mkdtempSync(path.join(tmpdir(), "tasks-"));
  const program = path.join(folder, "task-process.mjs");
  await buildProgram(new URL("task-process.ts", import.meta.url), program, [
    {
      name: "the driver stays where it is installed",
      setup: (builder) =>
        builder.onResolve({ filter: /^@(?:photostructure|toolwright)\/sqlite$/ }, ({ path: name }) => ({
          path: pathToFileURL(require.resolve(name)).href,
          external: true,
        })),
    },
  ]);
  const running = new Set<ChildProcess>();
  return {
    folder,
    start: async (command, file, name = "", uid) => {
      const child = spawn(process.execPath, [program, command, file, name], {
        stdio: ["ignore", "pipe", "pipe"],
        ...(uid === undefined ? {} : { uid, gid: uid }),
      });
      running.add(child);
      const ended = once(child, "exit").finally(() => running.delete(child));
      let stderr = "";
      child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
      const [output] = (await once(child.stdout.setEncoding("utf8"), "data")) as [string];
      const kill = async (signal: NodeJS.Signals) => {
        child.kill(signal);
        await ended;
      };
      return { output: output.trim(), stderr: () => stderr, kill, ended };
    },
    remove: () => {
      for (const child of running) child.kill("SIGKILL");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
