import { exactInteger } from "../jsonrpc/codec.js";
import { isObject, type Json, type JsonObject } from "../jsonrpc/json.js";
import type { Frame } from "../server/recorder.js";
import type { Server } from "../server/server.js";

/** How much of the end of a head is left out: half of a secret is not known for one. */
const HALF_SECRET = 200;

/** What a recording is made of. */
export type Recorded = Pick<Server, "name" | "version" | "recorder" | "redaction">;

/** The first line of a recording. `startedAt` is in milliseconds since 1970. */
export function headerLine({ name, version, redaction }: Recorded, startedAt: number): string {
  const header = { toolwright: "recording", version: 1, server: { name, version } };
  const { secret } = JSON.parse(redaction.json({ secret: "a secret" })) as { secret: string };
  return `${JSON.stringify({ ...header, startedAt: new Date(startedAt).toISOString(), redacted: secret })}\n`;
}

/** One message as a line of a recording, without secrets. Messages longer than `longest` are cut. */
export function frameLine(
  { at, session, from, text, cut }: Frame,
  { redaction }: Recorded,
  startedAt: number,
  longest = Infinity,
): string {
  const place = `{"at":${Math.round((at - startedAt) * 1000) / 1000},"session":${session},"from":"${from}"`;
  const length = cut ?? (text.length > longest ? text.length : undefined);
  if (length === undefined) return `${place},${messageMember(text, redaction)}}\n`;
  const head = redaction.text(withoutState(text.slice(0, 1024))).slice(0, -HALF_SECRET);
  return `${place},"cut":${length},"head":${JSON.stringify(head)}}\n`;
}

/** The last messages of a server as a recording: JSON lines, without secrets. */
export function recordingOf(server: Recorded): string {
  const frames = server.recorder?.frames() ?? [];
  const startedAt = Math.floor(frames[0]?.at ?? Date.now());
  return headerLine(server, startedAt) + frames.map((frame) => frameLine(frame, server, startedAt)).join("");
}

/** What is no message must not stand where messages are. */
function messageMember(text: string, redaction: Recorded["redaction"]): string {
  let value: Json | undefined;
  try {
    value = JSON.parse(text) as Json;
  } catch {
    value = undefined;
  }
  if (isObject(value)) {
    keepDigits(text, value, "id");
    keepDigits(text, value["params"], "params", "requestId");
    return `"message":${redaction.json(withShortState(value))}`;
  }
  if (Array.isArray(value)) return `"message":${redaction.json(value)}`;
  return `"text":${JSON.stringify(redaction.text(withoutState(text)))}`;
}

/** An id that JSON would round becomes a text: in a request, in its answer, and where it is cancelled. */
function keepDigits(text: string, holder: Json | undefined, ...path: string[]): void {
  const name = path.at(-1) as string;
  const id = exactInteger((holder as JsonObject | undefined)?.[name] as Json, text, path);
  if (id !== undefined) Object.assign(holder as JsonObject, { [name]: id });
}

/**
 * The state of a round has the answers of earlier ones in it, in a form in which nobody finds the secrets. Its end, which is a
 * part of its signature, still tells which request belongs to which result.
 */
function withShortState(message: JsonObject): JsonObject {
  const shorten = (member: "params" | "result"): JsonObject => {
    const holder = message[member];
    if (!isObject(holder) || typeof holder["requestState"] !== "string") return {};
    return { [member]: { ...holder, requestState: `…${holder["requestState"].slice(-16)}` } };
  };
  return { ...message, ...shorten("params"), ...shorten("result") };
}

const withoutState = (text: string): string => text.replaceAll(/("requestState"\s*:\s*")[^"]*/g, "$1…");
