import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { buildProgram } from "../support/program.js";

const require = createRequire(import.meta.url);

/** A folder for files of a test, with the program of `task-process.ts` in it. */
export interface Workplace {
  readonly folder: string;
  /** Starts the program; waits for what it says first. */
  start(deed: string, file: string, name?: string, uid?: number): Promise<Started>;
  remove(): void;
}

/** A running program. */
interface Started {
  /** The line that it said. */
  readonly said: string;
  /** What it wrote to stderr up to its end. */
  readonly stderr: () => string;
  /** Ends it with a signal, and waits until it has ended. */
  kill(signal: NodeJS.Signals): Promise<void>;
  readonly ended: Promise<unknown>;
}

/** Makes a place to work in. */
export async function createWorkplace(): Promise<Workplace> {
  const folder = mkdtempSync(path.join(tmpdir(), "tasks-"));
  const program = path.join(folder, "task-process.mjs");
  await buildProgram(new URL("task-process.ts", import.meta.url), program, [
    {
      name: "the driver stays where it is installed",
      setup: (builder) =>
        builder.onResolve({ filter: /^@photostructure\/sqlite$/ }, ({ path: name }) => ({
          path: pathToFileURL(require.resolve(name)).href,
          external: true,
        })),
    },
  ]);
  const running = new Set<ChildProcess>();
  return {
    folder,
    start: async (deed, file, name = "", uid) => {
      const child = spawn(process.execPath, [program, deed, file, name], {
        stdio: ["ignore", "pipe", "pipe"],
        ...(uid === undefined ? {} : { uid, gid: uid }),
      });
      running.add(child);
      const ended = once(child, "exit").finally(() => running.delete(child));
      let stderr = "";
      child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
      const [said] = (await once(child.stdout.setEncoding("utf8"), "data")) as [string];
      const kill = async (signal: NodeJS.Signals) => {
        child.kill(signal);
        await ended;
      };
      return { said: said.trim(), stderr: () => stderr, kill, ended };
    },
    remove: () => {
      for (const child of running) child.kill("SIGKILL");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
