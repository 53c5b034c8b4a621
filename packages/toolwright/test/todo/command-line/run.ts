import { spawnSync } from "node:child_process";
import path from "node:path";
import { folder, main } from "../../cli/listening.js";

/** How a command ended, and what it said. */
interface Said {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Tasks of their own, and a folder to be in. */
export interface Place {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** Runs `toolwright task` with nobody at a terminal. */
  readonly task: (words: readonly string[], input?: string) => Said;
  /** The same for what must go well; gives what stands on stdout, without the last newline. */
  readonly good: (...words: string[]) => string;
  /** Makes a task, and gives its whole id. */
  readonly add: (...words: string[]) => string;
}

/** An empty place that goes with the test. */
export function openPlace(more: NodeJS.ProcessEnv = {}): Place {
  const cwd = folder();
  const env = { ...process.env, HOME: cwd, XDG_STATE_HOME: path.join(cwd, "state"), NO_COLOR: undefined, ...more };
  const task = (words: readonly string[], input = ""): Said => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [main, "task", ...words], {
      cwd,
      encoding: "utf8",
      env,
      input,
    });
    return { status, stdout, stderr };
  };
  const good = (...words: string[]): string => {
    const said = task(words);
    if (said.status !== 0) throw new Error(`task ${words.join(" ")}: ${said.status} ${said.stderr}`);
    return said.stdout.trimEnd();
  };
  return { cwd, env, task, good, add: (...words) => good("add", ...words, "--quiet") };
}

/** The short form of an id, which is four signs long among few tasks. */
export const short = (id: string): string => id.slice(-4);
