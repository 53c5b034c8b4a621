import type { Json } from "../../jsonrpc/messages.js";
import type { ClientOptions, Target } from "../options.js";

/** Options of `replay`. */
export interface ReplayOptions {
  /** The protocol revision to use; by default the recorded one. */
  readonly revision?: string;
  /** Replays only the session with this number. */
  readonly session?: number;
  /** Paths that are not compared, such as `structuredContent.now`: `*` matches one name, `**` any number. */
  readonly ignore?: readonly string[];
  /** Skips requests with redacted secrets; by default they are sent with the placeholder. */
  readonly skipRedacted?: boolean;
  /** How to connect to the server. */
  readonly client?: Pick<
    ClientOptions,
    "token" | "headers" | "fetch" | "timeoutMs" | "totalTimeoutMs" | "probeTimeoutMs"
  >;
  /** Stops the replay. */
  readonly signal?: AbortSignal;
}

/** The result of a replay. */
export interface ReplayReport {
  /** The server that was recorded. */
  readonly server: { readonly name: string; readonly version: string };
  /** Each request, in the order of the recording. */
  readonly requests: readonly ReplayedRequest[];
  /** What could not be read of the recording. */
  readonly notes: readonly string[];
}

/** The comparison of one request with its recording. */
export interface ReplayedRequest {
  /** The number of the session in the recording. */
  readonly session: number;
  readonly method: string;
  /** The tool, prompt or URI that it names. */
  readonly name: string | undefined;
  readonly verdict: "same" | "differs" | "not compared" | "skipped";
  /** Why it was skipped or not compared. */
  readonly reason: string | undefined;
  readonly differences: readonly Difference[];
  /** Whether the recording redacted a part of the request. */
  readonly isRedacted: boolean;
}

/** A value that differs from the recording. */
export interface Difference {
  /** Where it is, such as `content.0.text`. Items of a list are identified by their name or URI, if they have one. */
  readonly path: string;
  /** Undefined if it was absent. */
  readonly recorded: Json | undefined;
  /** Undefined if it is absent. */
  readonly actual: Json | undefined;
}

/**
 * Replays the text of a recording against a server, in any revision, and compares the responses. Rejects with `TypeError`
 * if the text is not a recording, and like `connect`.
 *
 * @example
 * const { requests } = await replay(await readFile("bug.jsonl", "utf8"), { url: "http://localhost:3000/mcp" });
 * const differing = requests.filter(({ verdict }) => verdict === "differs");
 */
export async function replay(recording: string, target: Target, options: ReplayOptions = {}): Promise<ReplayReport> {
  // Loaded on first use: most clients never replay.
  const { runReplay } = await import("./run-replay.js");
  return runReplay(recording, target, options);
}
