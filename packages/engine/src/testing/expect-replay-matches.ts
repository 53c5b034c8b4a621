import {
  type Difference,
  type ReplayedRequest,
  type ReplayOptions,
  type ReplayReport,
  replay,
} from "../client/replay/replay.js";
import { truncate } from "../jsonrpc/errors.js";
import type { Server } from "../server/server.js";

/** Options of `expectReplayMatches`. */
export interface ReplayMatchOptions extends Pick<ReplayOptions, "revision" | "session" | "ignore" | "skipRedacted"> {
  /** The principal that the server sees. */
  readonly principal?: string;
}

/**
 * Replays the text of a recording against a server in memory, in any revision, and returns the report. Rejects with an
 * error that lists every difference.
 *
 * @example
 * await expectReplayMatches(server, await readFile("recording.jsonl", "utf8"), { ignore: ["structuredContent.now"] });
 */
export async function expectReplayMatches(
  server: Server,
  recording: string,
  options: ReplayMatchOptions = {},
): Promise<ReplayReport> {
  const { principal, ...replayOptions } = options;
  const report = await replay(recording, { server, ...(principal !== undefined && { principal }) }, replayOptions);
  const { requests } = report;
  if (!requests.some(({ verdict }) => verdict === "same" || verdict === "differs"))
    throw new Error("The recording has no request that could be replayed and compared");
  const differing = requests.filter(({ verdict }) => verdict === "differs");
  if (differing.length === 0) return report;
  const summary = `${differing.length} of ${requests.length} requests differ from the recording:`;
  throw new Error([summary, ...differing.flatMap(describeRequest)].join("\n"));
}

function describeRequest({ method, name, differences }: ReplayedRequest): string[] {
  const lines = differences.map(
    ({ path, recorded, actual }) => `  ${path}: ${formatValue(recorded)} became ${formatValue(actual)}`,
  );
  return [name === undefined ? method : `${method} ${name}`, ...lines];
}

function formatValue(value: Difference["actual"]): string {
  if (value === undefined) return "nothing";
  return truncate(JSON.stringify(value));
}
