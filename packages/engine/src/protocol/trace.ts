import type { Json, JsonObject } from "../jsonrpc/json.js";

/** Where a request stands in a distributed trace, as W3C Trace Context and W3C Baggage write it. */
export interface Trace {
  readonly traceparent: string;
  readonly tracestate?: string;
  readonly baggage?: string;
}

/** Version, trace, span and flags; later versions may say more after them. Ids of nothing but zeros mean nothing. */
const PARENT =
  /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?:$|(?<!^00.*)-[\x20-\x7e]*$)/;
const STATE_MEMBER =
  /^[a-z0-9][a-z0-9_\-*/@]{0,255}=[\x20-\x2b\x2d-\x3c\x3e-\x7e]{0,255}[\x21-\x2b\x2d-\x3c\x3e-\x7e]$/;
const TOKEN = "[!#$%&'*+\\-.^_`|~0-9A-Za-z]+";
const VALUE = "[\\x21\\x23-\\x2b\\x2d-\\x3a\\x3c-\\x5b\\x5d-\\x7e]*";
const BAGGAGE_MEMBER = new RegExp(`^${TOKEN}\\s*=\\s*${VALUE}(?:\\s*;\\s*${TOKEN}(?:\\s*=\\s*${VALUE})?)*$`);

const MOST_STATES = 32;
const MOST_BAGGAGE = 64;
const LONGEST_PARENT = 512;
const LONGEST_BAGGAGE = 8192;

/** Reads the trace of a request from its `_meta`; what is malformed is passed over. */
export function readTrace(meta: JsonObject | undefined): Trace | undefined {
  const { traceparent, tracestate, baggage } = meta ?? {};
  if (typeof traceparent !== "string" || traceparent.length > LONGEST_PARENT || !PARENT.test(traceparent))
    return undefined;
  return {
    traceparent,
    ...(isState(tracestate) && { tracestate }),
    ...(isBaggage(baggage) && { baggage }),
  };
}

function isState(value: Json | undefined): value is string {
  if (typeof value !== "string") return false;
  const members = membersOf(value);
  const keys = new Set(members.map((member) => member.slice(0, member.indexOf("="))));
  return (
    members.length > 0 &&
    members.length <= MOST_STATES &&
    keys.size === members.length &&
    members.every((member) => STATE_MEMBER.test(member))
  );
}

function isBaggage(value: Json | undefined): value is string {
  if (typeof value !== "string" || value.length > LONGEST_BAGGAGE) return false;
  const members = membersOf(value);
  return members.length > 0 && members.length <= MOST_BAGGAGE && members.every((member) => BAGGAGE_MEMBER.test(member));
}

/** The members of a list with commas; empty ones are allowed and mean nothing. */
function membersOf(list: string): string[] {
  return list
    .split(",")
    .map((member) => member.trim())
    .filter((member) => member !== "");
}
