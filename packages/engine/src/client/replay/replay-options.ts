import type { ClientOptions } from "../options.js";
import type { ReplayedRequest } from "./judge.js";

/** How a recording is played. */
export interface ReplayOptions {
  /** The revision to speak; that of each conversation by default. */
  readonly revision?: string;
  /** The only conversation to play, by its number in the recording. */
  readonly session?: number;
  /** What is not compared: `structuredContent.now`, with `*` for one name and `**` for any number of them. */
  readonly ignore?: readonly string[];
  /** Leaves out requests from which secrets were taken out; by default they are sent as they were recorded. */
  readonly skipRedacted?: boolean;
  /** How to talk to the server. */
  readonly client?: Pick<ClientOptions, "token" | "headers" | "fetch" | "timeoutMs" | "totalMs" | "probeMs">;
  /** Ends it between two requests. */
  readonly signal?: AbortSignal;
}

/** How a recording went. */
export interface Replay {
  /** The server that was recorded. */
  readonly server: { readonly name: string; readonly version: string };
  /** Each request, in the order of the recording; then what was sent and cannot be sent again. */
  readonly requests: readonly ReplayedRequest[];
  /** What could not be read of the recording. */
  readonly notes: readonly string[];
}
