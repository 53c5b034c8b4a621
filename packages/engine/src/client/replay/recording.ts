import { nestsDeeperThan } from "../../jsonrpc/depth.js";
import { isObject, type Json, type JsonObject } from "../../jsonrpc/json.js";

/** No server reads messages that nest deeper, and neither does whoever compares them. */
const DEEPEST = 300;

/** One message of a recording. */
export interface RecordedFrame {
  /** Tells the conversations of all processes apart that wrote the recording. */
  readonly place: string;
  /** The number of the conversation, as its process counted. */
  readonly session: number;
  readonly from: "client" | "server";
  /** Undefined where it was no message, or was too long to keep. */
  readonly message: JsonObject | undefined;
  /** How long the message was, where it was too long to keep. */
  readonly cut: number | undefined;
  /** The head of what was too long, or the whole of what was no message. */
  readonly text: string;
}

/** What a recording says. */
export interface Recording {
  readonly server: { readonly name: string; readonly version: string };
  readonly frames: readonly RecordedFrame[];
  /** What stands for secrets in it. */
  readonly redacted: string;
  /** What could not be read, for people. */
  readonly notes: readonly string[];
}

/**
 * Reads a recording. One that was cut off in the middle is read as far as it goes, with a note. Throws `TypeError` for what is no
 * recording.
 */
export function readRecording(text: string): Recording {
  const lines = text.split("\n");
  const header = readHeader(lines[0] ?? "");
  const frames: RecordedFrame[] = [];
  const notes: string[] = [];
  let run = textIn(header, "startedAt");
  for (const [at, line] of lines.entries()) {
    if (at === 0 || line.trim() === "") continue;
    const value = readLine(line);
    if (value?.["toolwright"] === "recording") run = textIn(value, "startedAt");
    else {
      const read = value && readFrame(value, run);
      if (read) frames.push(...read);
      else notes.push(faultOf(at, lines.length));
    }
  }
  const { server, redacted } = header;
  const known = isObject(server) ? server : {};
  return {
    server: { name: textIn(known, "name"), version: textIn(known, "version") },
    frames,
    redacted: typeof redacted === "string" && redacted !== "" ? redacted : "[redacted]",
    notes,
  };
}

function readHeader(line: string): JsonObject {
  const header = readLine(line);
  if (header?.["toolwright"] !== "recording")
    throw new TypeError("This is no recording: its first line does not say that it is one");
  const { version } = header;
  if (version === 1) return header;
  throw new TypeError(`This recording has version ${JSON.stringify(version ?? null)}, and only version 1 can be read`);
}

function readLine(line: string): JsonObject | undefined {
  if (nestsDeeperThan(line, DEEPEST)) return undefined;
  try {
    const value = JSON.parse(line) as Json;
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** A batch is as many messages. */
function readFrame(value: JsonObject, run: string): RecordedFrame[] | undefined {
  const { session, from, message, cut, head, text } = value;
  if (typeof session !== "number" || (from !== "client" && from !== "server")) return undefined;
  const place = { place: `${run}/${session}`, session, from } as const;
  const whole = Array.isArray(message) ? message : [message];
  if (whole.every(isObject)) return whole.map((one) => ({ ...place, message: one, cut: undefined, text: "" }));
  const kept = { ...place, message: undefined, text: textOf(head ?? text) };
  if (typeof cut === "number") return [{ ...kept, cut }];
  return message === undefined && typeof text !== "string" ? undefined : [{ ...kept, cut: undefined }];
}

function faultOf(at: number, lines: number): string {
  if (at === lines - 1) return `It ends in the middle of line ${at + 1}: it is played as far as it goes`;
  return `Line ${at + 1} cannot be read, and is passed over`;
}

const textOf = (value: Json | undefined): string => (typeof value === "string" ? value : "");
const textIn = (value: JsonObject, member: string): string => textOf(value[member]);
