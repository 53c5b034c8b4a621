import { readFile, stat } from "node:fs/promises";
import { ConnectionError, type ReplayReport, ResponseError, replay, TimeoutError } from "@toolwright/engine/client";
import { Failure, untilStopped } from "@toolwright/kit/cli";
import { outliveReaders } from "@toolwright/kit/terminal";
import { type OwnServer, openOwnServer } from "../replay/own-server.js";
import { type ReplayWords, readReplayWords } from "../replay/replay-words.js";
import { countOf, showReplay } from "../replay/show-replay.js";

/** A larger file is no recording that anybody wants to play. */
const MOST_BYTES = 256 * 1024 * 1024;

/** Plays a recording and shows what differs; then the process ends with 1. Throws `Failure` where it cannot be played. */
export async function replayRecording(words: readonly string[], version: string): Promise<void> {
  const told = readReplayWords(words, process.env);
  const recording = await readText(told.file);
  outliveReaders();
  const stop = untilStopped();
  const own = told.target === undefined ? await openOwnServer(told.transport, version) : undefined;
  try {
    const played = await play(recording, told, own, stop);
    await print(told, played);
    const { same, differ } = countOf(played);
    if (same + differ === 0) throw new Failure(`${told.file} has no request that could be played and compared`, 2);
    if (differ > 0) process.exitCode = 1;
  } catch (error) {
    throw stop.aborted ? stop.reason : toFailure(error, told.file);
  } finally {
    await own?.close();
  }
}

function play(
  recording: string,
  told: ReplayWords,
  own: OwnServer | undefined,
  signal: AbortSignal,
): Promise<ReplayReport> {
  const { options, session, ignore, skipRedacted } = told;
  const { revision, ...client } = options;
  const target = told.target ?? own?.target;
  if (target === undefined) throw new Failure("There is no server to play against", 3);
  return replay(recording, target, {
    ...(revision !== undefined && { revision }),
    ...(session !== undefined && { session }),
    ignore,
    skipRedacted,
    client,
    signal,
  });
}

async function readText(file: string): Promise<string> {
  try {
    const { size } = await stat(file);
    if (size > MOST_BYTES) throw new Error(`it has ${size} bytes, and ${MOST_BYTES} can be read`);
    return await readFile(file, "utf8");
  } catch (error) {
    throw new Failure(`Cannot read ${file}: ${(error as Error).message}`, 2, error);
  }
}

function print(told: ReplayWords, played: ReplayReport): Promise<void> {
  const isColoured = process.stdout.isTTY && (process.env["NO_COLOR"] ?? "") === "";
  const text = told.json
    ? `${JSON.stringify({ ...played, count: countOf(played) }, null, 2)}\n`
    : showReplay(played, isColoured);
  return new Promise((resolve) => {
    process.stdout.write(text, () => resolve());
  });
}

function toFailure(error: unknown, file: string): unknown {
  if (error instanceof TypeError) return new Failure(`Cannot play ${file}: ${error.message}`, 2, error);
  const isUnreached =
    error instanceof ConnectionError || error instanceof TimeoutError || error instanceof ResponseError;
  return isUnreached ? new Failure(error.message, 3, error) : error;
}
