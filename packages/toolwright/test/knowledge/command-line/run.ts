import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describeError, runCommand } from "@toolwright/kit/cli";
import { kb as command } from "@toolwright/knowledge/commands/kb.js";
import { createPackContext } from "../../../src/cli/pack-context.js";
import { folder } from "../../cli/listening.js";

/** How a command ended, and what it said. */
interface Said {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A knowledge base of its own, and a folder to be in. */
export interface Place {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** Does what `toolwright kb` does, with nobody at a terminal, in this process: to start one takes longer than most deeds. */
  readonly kb: (...words: string[]) => Promise<Said>;
  /** The same for what must go well; gives what stands on stdout, without the last newline. */
  readonly good: (...words: string[]) => Promise<string>;
  readonly json: (...words: string[]) => Promise<unknown>;
  /** Writes a file, with the folders on the way. */
  readonly write: (name: string, content: string | Uint8Array) => void;
}

/** An empty place that goes with the test. */
export function openPlace(more: NodeJS.ProcessEnv = {}): Place {
  const cwd = folder();
  const state = { XDG_STATE_HOME: path.join(cwd, "state"), XDG_CACHE_HOME: path.join(cwd, "cache") };
  const env = { ...process.env, HOME: cwd, ...state, NO_COLOR: undefined, ...more };
  const kb: Place["kb"] = (...words) => inPlace(cwd, env, words);
  const good: Place["good"] = async (...words) => {
    const said = await kb(...words);
    if (said.status !== 0) throw new Error(`kb ${words.join(" ")}: ${said.status} ${said.stderr}`);
    return said.stdout.trimEnd();
  };
  return {
    cwd,
    env,
    kb,
    good,
    json: async (...words) => JSON.parse(await good(...words, "--json")) as unknown,
    write: (name, content) => {
      const file = path.join(cwd, name);
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, content);
    },
  };
}

/** Runs the command with the folder, the environment and the streams of a process of its own. */
async function inPlace(cwd: string, env: NodeJS.ProcessEnv, words: readonly string[]): Promise<Said> {
  const before = { cwd: process.cwd(), env: process.env };
  const [stdout, stderr] = [hear(process.stdout), hear(process.stderr)];
  process.chdir(cwd);
  process.env = env;
  try {
    const loadCommands = async () => [command];
    const context = (options: { readonly isQuiet: boolean }) =>
      createPackContext("knowledge", "0.0.0", { ...options, loadCommands });
    const failed = await runCommand(command, words, context).then(
      () => undefined,
      (error: unknown) => describeError(error, loadCommands),
    );
    if (failed !== undefined) process.stderr.write(`toolwright: ${failed.message}\n`);
    return { status: failed?.exitCode ?? Number(process.exitCode ?? 0), stdout: stdout.said(), stderr: stderr.said() };
  } finally {
    process.exitCode = undefined;
    process.env = before.env;
    process.chdir(before.cwd);
    for (const stream of [stdout, stderr]) stream.stop();
  }
}

/** Keeps what is written to a stream, until it is stopped. */
function hear(stream: NodeJS.WriteStream): { readonly said: () => string; readonly stop: () => void } {
  const write = stream.write.bind(stream);
  const listeners = stream.listeners("error");
  let said = "";
  stream.write = (text: string | Uint8Array, ...rest: unknown[]): boolean => {
    said += typeof text === "string" ? text : new TextDecoder().decode(text);
    const done = rest.find((each) => typeof each === "function");
    if (done !== undefined) done();
    return true;
  };
  return {
    said: () => said,
    stop: () => {
      stream.write = write;
      for (const each of stream.listeners("error"))
        if (!listeners.includes(each)) stream.removeListener("error", each as () => void);
    },
  };
}

/** A place with two documents in the folder `guides`. */
export function openGuides(more: NodeJS.ProcessEnv = {}): Place {
  const place = openPlace(more);
  place.write("guides/limits.md", "# Limits\n\nThe rate limit lets a client call a hundred times a minute.\n");
  place.write("guides/sessions.md", "# Sessions\n\nA session ends after thirty minutes of silence.\n");
  return place;
}
