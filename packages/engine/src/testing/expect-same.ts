import type { Difference } from "../client/replay/compare.js";
import type { ReplayedRequest } from "../client/replay/judge.js";
import { replay } from "../client/replay/replay.js";
import type { Replay, ReplayOptions } from "../client/replay/replay-options.js";
import type { Server } from "../index.js";

/** How a test plays a recording. */
export interface SameOptions extends Pick<ReplayOptions, "revision" | "session" | "ignore" | "skipRedacted"> {
  readonly principal?: string;
}

/** The longest value that is shown whole. */
const LONGEST = 200;

/**
 * Plays a recording, given as text, against a server in memory, in any revision, and gives how each request went. Throws an
 * error that names every difference.
 */
export async function expectSame(server: Server, recording: string, options: SameOptions = {}): Promise<Replay> {
  const { principal, ...more } = options;
  const played = await replay(recording, { server, ...(principal !== undefined && { principal }) }, more);
  const { requests } = played;
  if (!requests.some(({ verdict }) => verdict === "same" || verdict === "differs"))
    throw new Error("The recording has no request that could be played and compared");
  const differing = requests.filter(({ verdict }) => verdict === "differs");
  if (differing.length === 0) return played;
  const count = `${differing.length} of ${requests.length} requests differ from the recording`;
  throw new Error([`${count}:`, ...differing.flatMap(describe)].join("\n"));
}

function describe({ method, name, differences }: ReplayedRequest): string[] {
  const title = name === undefined ? method : `${method} ${name}`;
  return [title, ...differences.map((one) => `  ${one.path}: ${show(one.recorded)} became ${show(one.now)}`)];
}

function show(value: Difference["now"]): string {
  if (value === undefined) return "nothing";
  const text = JSON.stringify(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
