import type { Json, JsonObject } from "../../jsonrpc/json.js";
import type { ToolError } from "../../protocol/outcome.js";
import { REVISIONS } from "../../revisions/select.js";
import { monotonic } from "../clock.js";
import type { Ending } from "./ending.js";
import type { Metered } from "./meter.js";
import type { Share } from "./share.js";

/** A call for tests, which notes what meters do to it. */
export interface RecordedCall extends Metered {
  isAsking: boolean;
  ending: Ending;
  readonly heard: string[];
  readonly stopped: ToolError[];
  /** The messages of the progress that its client heard. */
  readonly progress: Json[];
}

interface Traits {
  readonly name?: string;
  readonly timeoutMs?: number;
  readonly totalLimit?: Metered["totalLimit"];
  readonly principal?: string;
  readonly session?: object;
  readonly share?: Share;
  readonly meta?: JsonObject;
  /** What happens when it may go on. */
  readonly after?: () => void;
}

const ONE_SESSION = {};

/** Creates a call with what matters to a test. */
export function recordedCall({
  name = "a",
  principal,
  session = ONE_SESSION,
  meta,
  ...traits
}: Traits = {}): RecordedCall {
  const heard: string[] = [];
  const stopped: ToolError[] = [];
  const progress: Json[] = [];
  return {
    kind: "tool",
    name,
    principal,
    link: { principal, session },
    request: { id: 1, method: "tools/call", ...(meta && { params: { _meta: meta } }) },
    revision: REVISIONS[0] as Metered["revision"],
    reportedAt: 0,
    reported: undefined,
    send: (message) => void progress.push((JSON.parse(message) as { params: { message: Json } }).params.message),
    share: traits.share,
    place: undefined,
    patienceMs: undefined,
    timeoutMs: traits.timeoutMs ?? 100,
    totalLimit: traits.totalLimit ?? "callTotalMs",
    deadline: 0,
    acceptedAt: monotonic(),
    startedAt: 0,
    isAsking: false,
    entered: 0,
    ending: "ok",
    failure: undefined,
    heard,
    stopped,
    progress,
    proceed() {
      heard.push("proceed");
      traits.after?.();
    },
    stop: (error) => void stopped.push(error),
  };
}
