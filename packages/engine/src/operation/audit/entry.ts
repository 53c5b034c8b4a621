import { randomUUID } from "node:crypto";
import { encodeId } from "../../jsonrpc/codec.js";
import type { Id } from "../../jsonrpc/messages.js";
import type { LayerHost, LayerRequest } from "../../server/layers/layer.js";
import type { Ended } from "../ending.js";
import { digestOf } from "./canonical-json.js";

/** Of a text that a client can choose, not more than so many characters. */
const LONGEST = 200;
/** Secrets are looked for in more of it, because half of one is not recognised. */
const LOOKED_AT = 1000;

/** What is known of a call when it begins; nothing of its arguments but a digest. */
export interface Entry {
  readonly time: string;
  readonly requestId: Id;
  /** What tells the call from every other, because requests of several clients may have the same id. */
  readonly call: string;
  readonly tool: string | undefined;
  readonly principal: string | undefined;
  readonly client: { readonly name: string | undefined; readonly version: string | undefined };
  readonly arguments: string;
  readonly transport: string;
}

/** What is known of a call when it begins. */
export function entryOf({ id, params, principal, caller, transport }: LayerRequest, host: LayerHost): Entry {
  const told = (value: unknown): string | undefined =>
    typeof value === "string" ? host.redaction.text(value.slice(0, LOOKED_AT)).slice(0, LONGEST) : undefined;
  const { name, version } = caller.info ?? {};
  const shownId = told(String(id)) ?? "";
  return {
    time: new Date().toISOString(),
    requestId: shownId === String(id) ? id : shownId,
    call: randomUUID(),
    tool: told(params["name"]),
    principal: told(principal),
    client: { name: told(name), version: told(version) },
    arguments: digestOf(params["arguments"] ?? {}),
    transport,
  };
}

/** The line that says that a call begins. */
export const beginLine = (entry: Entry): string => toLine("begin", entry, {});

/** The line that says what a call came to. */
export function endLine(entry: Entry, { ending, code }: Ended, durationMs: number): string {
  return toLine("end", entry, { outcome: ending, code, durationMs: Math.round(durationMs * 1000) / 1000 });
}

/** The line that says that lines are missing before it. */
export const lossLine = (lines: number): string =>
  JSON.stringify({ time: new Date().toISOString(), event: "lost", lines });

function toLine(event: string, { time, requestId, ...rest }: Entry, end: object): string {
  // The id may be a number that JSON would round, so it is written as the client sent it.
  const id = encodeId(requestId);
  return `{"time":"${time}","event":"${event}","requestId":${id},${JSON.stringify({ ...rest, ...end }).slice(1)}`;
}
