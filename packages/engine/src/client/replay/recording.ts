import { exceedsDepth, isObject, type Json, type JsonObject } from "../../jsonrpc/messages.js";
import { objectOrEmpty, stringOr } from "../errors.js";

/** One message of a recording. */
export interface RecordedFrame {
  /** Identifies the connection among those of all processes that wrote the recording. */
  readonly connectionKey: string;
  /** The number of the connection within its process. */
  readonly session: number;
  readonly from: "client" | "server";
  /** A response that was truncated has the member `truncated` instead of `result` or `error`. */
  readonly message: JsonObject;
}

/** A parsed recording. */
export interface Recording {
  readonly server: { readonly name: string; readonly version: string };
  readonly frames: readonly RecordedFrame[];
  /** The placeholder for secrets. */
  readonly redacted: string;
  /** Messages about what could not be read. */
  readonly notes: readonly string[];
}

/** Parses a recording. Unreadable lines are skipped with a note. Throws `TypeError` if the text is not a recording. */
export function parseRecording(text: string): Recording {
  const [firstLine = "", ...lines] = text.split("\n");
  const header = parseHeader(firstLine);
  const frames: RecordedFrame[] = [];
  const notes: string[] = [];
  let startedAt = stringOr(header["startedAt"]);
  for (const [index, line] of lines.entries()) {
    if (line.trim() === "") continue;
    const value = parseJsonText(line);
    const parsed = isObject(value) ? parseFrames(value, startedAt) : undefined;
    if (isObject(value) && value["toolwright"] === "recording") startedAt = stringOr(value["startedAt"]);
    else if (parsed) frames.push(...parsed);
    else notes.push(`Line ${index + 2} is not a complete message and was skipped`);
  }
  const { name, version } = objectOrEmpty(header["server"]);
  const redacted = stringOr(header["redacted"]) || "[redacted]";
  return { server: { name: stringOr(name), version: stringOr(version) }, frames, redacted, notes };
}

function parseHeader(line: string): JsonObject {
  const header = parseJsonText(line);
  if (!isObject(header) || header["toolwright"] !== "recording")
    throw new TypeError("Not a recording: the first line is not a recording header");
  const { version } = header;
  if (version === 1) return header;
  throw new TypeError(`Unsupported recording version ${JSON.stringify(version ?? null)}: only version 1 can be read`);
}

/** Deeper JSON is not parsed: no server reads it either. */
const MAX_JSON_DEPTH = 300;

/** Parses JSON; returns undefined if it is invalid or nests too deeply. */
export function parseJsonText(text: string): Json | undefined {
  try {
    return exceedsDepth(text, MAX_JSON_DEPTH) ? undefined : (JSON.parse(text) as Json);
  } catch {
    return undefined;
  }
}

/** Returns the messages of a line: several for a batch; undefined if the line has no message that can be used. */
function parseFrames(value: JsonObject, startedAt: string): RecordedFrame[] | undefined {
  const { session, from, message, head } = value;
  if (typeof session !== "number" || (from !== "client" && from !== "server")) return undefined;
  const base = { connectionKey: `${startedAt}/${session}`, session, from } as const;
  const batch = Array.isArray(message) ? message : [message];
  if (batch.every(isObject)) return batch.map((item) => ({ ...base, message: item }));
  // The beginning of a response shows which request it belongs to.
  const [, id] = /^\{"jsonrpc":"2\.0","id":("[^"\\]*"|-?\d+),"(?:result|error)"/.exec(stringOr(head)) ?? [];
  if (from === "client" || id === undefined) return undefined;
  return [{ ...base, message: { id: JSON.parse(id) as Json, truncated: true } }];
}
