import { readFile, stat } from "node:fs/promises";
import { ConnectionError, type ReplayReport, ResponseError, replay, TimeoutError } from "@toolwright/engine/client";
import { type CommandContext, Failure, UsageError } from "@toolwright/kit/cli";
import { say } from "@toolwright/kit/terminal";
import { readConnection, readTarget, type ServerConnection } from "../use/server-choice.js";
import type { TargetInput } from "../use/server-options.js";
import { type OwnTransport, openOwnServer } from "./own-server.js";
import { countOf, showReplay } from "./show-replay.js";

const MAX_BYTES = 256 * 1024 * 1024;

interface ReplayInput extends TargetInput {
  readonly file: string;
  readonly url: string | undefined;
  readonly transport: OwnTransport | undefined;
  readonly session: number | undefined;
  readonly ignore: readonly string[];
  readonly skipRedacted: boolean;
  readonly json: boolean;
}

/** Replays a recording and prints what differs; then the exit code is 1. Throws `Failure` if it cannot be replayed. */
export async function runReplay(input: ReplayInput, { version, signal, screen }: CommandContext): Promise<void> {
  const { file, url, transport, session, ignore, skipRedacted, json } = input;
  const { target: given, rest } = readTarget(url === undefined ? [] : [url], input, process.env);
  if (rest[0] !== undefined) throw new UsageError(`"${rest[0]}" is not a URL of a server`);
  if (given !== undefined && transport !== undefined)
    throw new UsageError("--transport is for this build; the command line names another server");
  const { revision, ...client } = readConnection(input, given ?? OWN_PROGRAM, process.env);
  const recording = await readText(file);
  const own = given === undefined ? await openOwnServer(transport ?? "stdio", version) : undefined;
  try {
    const report = await replay(recording, given ?? own?.target ?? OWN_PROGRAM, {
      ...(revision !== undefined && { revision }),
      ...(session !== undefined && { session }),
      ignore,
      skipRedacted,
      client,
      signal,
    });
    await say(json ? toJson(report) : showReplay(report, screen.paint));
    const { same, differ } = countOf(report);
    if (same + differ === 0) throw new Failure(`${file} has no request that can be replayed and compared`, 2);
    if (differ > 0) process.exitCode = 1;
  } catch (error) {
    throw signal.aborted ? signal.reason : toFailure(error, file);
  } finally {
    await own?.close();
  }
}

/** Stands for this build while the options are read: --token-env needs a URL. */
const OWN_PROGRAM: ServerConnection["target"] = { command: "toolwright" };

async function readText(file: string): Promise<string> {
  try {
    const { size } = await stat(file);
    if (size > MAX_BYTES) throw new Error(`it has ${size} bytes, more than the maximum of ${MAX_BYTES}`);
    return await readFile(file, "utf8");
  } catch (error) {
    throw new Failure(`Cannot read ${file}: ${(error as Error).message}`, 2, error);
  }
}

const toJson = (report: ReplayReport): string => JSON.stringify({ ...report, count: countOf(report) }, null, 2);

function toFailure(error: unknown, file: string): unknown {
  if (error instanceof TypeError) return new Failure(`Cannot replay ${file}: ${error.message}`, 2, error);
  const isUnreached =
    error instanceof ConnectionError || error instanceof TimeoutError || error instanceof ResponseError;
  return isUnreached ? new Failure(error.message, 3, error) : error;
}
