import type { Json, JsonObject } from "../jsonrpc/messages.js";

/** The trace context of a request (W3C Trace Context and W3C Baggage). */
export interface TraceContext {
  readonly traceparent: string;
  readonly tracestate?: string;
  readonly baggage?: string;
}

/** Version, trace id, parent id and flags; later versions may append more. Ids of only zeros are invalid. */
const TRACEPARENT =
  /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?:$|(?<!^00.*)-[\x20-\x7e]*$)/;
/** One member of a tracestate or baggage list: a key, and a value of printable ASCII. */
const LIST_MEMBER = /^[^\s,;=]+\s*=[\x20-\x2b\x2d-\x7e]*$/;

const MAX_TRACEPARENT_LENGTH = 512;
const MAX_LIST_LENGTH = 8192;

/** Reads the trace context from the `_meta` of a request; malformed values are ignored. */
export function readTraceContext(meta: JsonObject | undefined): TraceContext | undefined {
  const { traceparent, tracestate, baggage } = meta ?? {};
  if (typeof traceparent !== "string" || traceparent.length > MAX_TRACEPARENT_LENGTH || !TRACEPARENT.test(traceparent))
    return undefined;
  return {
    traceparent,
    ...(isMemberList(tracestate) && { tracestate }),
    ...(isMemberList(baggage) && { baggage }),
  };
}

/** A comma-separated list; empty members are allowed. Libraries that use the values validate them in detail. */
function isMemberList(value: Json | undefined): value is string {
  if (typeof value !== "string" || value.length > MAX_LIST_LENGTH) return false;
  const members = value.split(",").map((member) => member.trim());
  return (
    members.some((member) => member !== "") && members.every((member) => member === "" || LIST_MEMBER.test(member))
  );
}

/** The `_meta` key for how many milliseconds the sender of a request waits for the response. */
export const TIMEOUT_META_KEY = "toolwright/timeoutMs";

/** Reads from `_meta` how long the caller waits; undefined = no limit, or not a valid time. */
export function readTimeoutMs(meta: JsonObject | undefined): number | undefined {
  const value = meta?.[TIMEOUT_META_KEY];
  return typeof value === "number" && value > 0 ? value : undefined;
}
