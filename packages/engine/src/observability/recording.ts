import { isObject, type Json, type JsonObject, readExactInteger } from "../jsonrpc/messages.js";
import * as check from "../server/definitions/checks.js";
import { atCaller, requireServer } from "../server/definitions/validation.js";
import type { Frame } from "../server/logging/frame-recorder.js";
import type { Redaction } from "../server/logging/redaction.js";
import { getBuiltinModule, monotonicNow, TIME_ORIGIN } from "../server/runtime.js";
import type { Server } from "../server/server.js";
import { DEFAULT_MAX_BYTES, LINE_FILE_CHECKS, LineWriter, type LossReport, openPrivateFile } from "./line-writer.js";

/** How much of a truncated message is searched for secrets. */
const HEAD_LENGTH = 1024;
/** How much is cut off the end of a head: part of a secret is not recognized as one. */
const TRIMMED_TAIL = 200;

/** The parts of a server that a recording is made from. */
type RecordingSource = Pick<Server, "name" | "version" | "recorder" | "redaction">;

/** Formats the first line of a recording. `startedAt` is in milliseconds since 1970. */
function formatHeaderLine({ name, version, redaction }: RecordingSource, startedAt: number): string {
  return JSON.stringify({
    toolwright: "recording",
    version: 1,
    server: { name, version },
    startedAt: new Date(startedAt).toISOString(),
    redacted: redaction.placeholder,
  });
}

/** Formats one message as a line of a recording, with secrets redacted. Messages longer than `maxLength` are truncated. */
function formatFrameLine(
  { timestamp, session, from, text, originalLength }: Frame,
  { redaction }: RecordingSource,
  startedAt: number,
  maxLength = Infinity,
): string {
  const prefix = `{"at":${Math.round((timestamp - startedAt) * 1000) / 1000},"session":${session},"from":"${from}"`;
  const length = originalLength ?? (text.length > maxLength ? text.length : undefined);
  if (length === undefined) return `${prefix},${formatMessageMember(text, redaction)}}`;
  const head = redaction.text(removeRequestState(text.slice(0, HEAD_LENGTH))).slice(0, -TRIMMED_TAIL);
  return `${prefix},"cut":${length},"head":${JSON.stringify(head)}}`;
}

/**
 * Returns the last messages of a server as a recording: JSON lines, with secrets redacted.
 *
 * @example
 * ```ts
 * await writeFile("last-messages.jsonl", serializeRecording(server));
 * ```
 */
export function serializeRecording(server: RecordingSource): string {
  const frames = server.recorder?.frames() ?? [];
  const startedAt = Math.floor(frames[0]?.timestamp ?? Date.now());
  const lines = frames.map((frame) => formatFrameLine(frame, server, startedAt));
  return `${[formatHeaderLine(server, startedAt), ...lines].join("\n")}\n`;
}

/**
 * Writes the last messages of a server to a file synchronously, for use just before the process exits. Returns whether that
 * succeeded; never throws.
 *
 * @example
 * ```ts
 * process.on("uncaughtExceptionMonitor", () => dumpRecording(server, "crash.jsonl"));
 * ```
 */
export function dumpRecording(server: Server, file: string): boolean {
  try {
    const fs = getBuiltinModule("node:fs");
    const path = getBuiltinModule("node:path");
    fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    fs.writeFileSync(file, serializeRecording(server), { mode: 0o600 });
    return true;
  } catch (error) {
    server.log({ level: "error", message: `the last messages could not be written to ${file}`, error });
    return false;
  }
}

/** Where messages are recorded, and how much is kept. */
export interface RecordingOptions {
  /** The file, readable by its owner only. `%p` in the path is replaced by the process id. */
  readonly file: string;
  /** The size at which the file is renamed and a new one is started; 10 MiB by default. */
  readonly maxBytes?: number;
  /** The maximum number of files, including the one being written; 3 by default. */
  readonly keep?: number;
}

/** A recording that is being written. */
export interface RecordingHandle {
  /** The path of the file. */
  readonly file: string;
  /** Writes what is pending and stops recording. Closing the server does the same. */
  close(): Promise<void>;
}

/** Longer messages are truncated: searching them for secrets would block the event loop. */
const MAX_MESSAGE_LENGTH = 1024 * 1024;

/**
 * Records every message of a server to a file from now on, with secrets redacted. Throws `TypeError` for invalid options, and
 * `Error` if the file cannot be written.
 *
 * @example
 * ```ts
 * const recording = await recordTo(server, { file: "messages.jsonl" });
 * // …
 * await recording.close();
 * ```
 */
export async function recordTo(server: Server, options: RecordingOptions): Promise<RecordingHandle> {
  const recorder = atCaller(recordTo, () => {
    requireServer("record", server);
    check.validate("record", options, LINE_FILE_CHECKS);
    if (server.recorder !== undefined) return server.recorder;
    throw new TypeError("Cannot record: the server was created with recorder: false");
  });
  const { file: pattern, maxBytes = DEFAULT_MAX_BYTES, keep = 3 } = options;
  const file = pattern.replaceAll("%p", String(process.pid));
  const startedAt = Math.floor(TIME_ORIGIN + monotonicNow());
  const writer = new LineWriter({
    file,
    maxBytes,
    oldFiles: keep - 1,
    open: openPrivateFile,
    header: formatHeaderLine(server, startedAt),
    onLoss: (report) => logLoss(server, file, report),
  });
  const error = await writer.open();
  // A full disk may have room later; the first lost message is logged.
  if (error !== undefined && error.code !== "ENOSPC" && error.code !== "EDQUOT")
    throw new Error(`Cannot record to ${file}: ${error.message}`, { cause: error });
  const maxLength = Math.min(MAX_MESSAGE_LENGTH, Math.floor(maxBytes / 4));
  const append = (frame: Frame): void =>
    writer.append({
      length: frame.text.length,
      format: () => formatFrameLine(frame, server, startedAt, maxLength),
    });
  const close = (): Promise<void> => {
    unsubscribe();
    return writer.close();
  };
  const unsubscribe = recorder.subscribe(append, close);
  return { file, close };
}

function logLoss(server: Server, file: string, { state, lost, error }: LossReport): void {
  if (state === "failing") {
    const message = `messages cannot be recorded in ${file}; recording resumes when the file can be written`;
    server.log({ level: "error", message, error });
  } else if (state === "recovered")
    server.log({ level: "notice", message: `messages are recorded again in ${file}; ${lost} are missing` });
}

/** Objects and batches are recorded as `message`, anything else as `text`. */
function formatMessageMember(text: string, redaction: Redaction): string {
  let value: Json | undefined;
  try {
    value = JSON.parse(text) as Json;
  } catch {
    value = undefined;
  }
  if (isObject(value)) {
    preserveExactId(text, value, "id");
    preserveExactId(text, value["params"], "params", "requestId");
    return `"message":${redaction.json(truncateRequestState(value))}`;
  }
  if (Array.isArray(value)) return `"message":${redaction.json(value)}`;
  return `"text":${JSON.stringify(redaction.text(removeRequestState(text)))}`;
}

/** Replaces an id that JavaScript would round by its digits as a string. */
function preserveExactId(text: string, holder: Json | undefined, ...path: string[]): void {
  const name = path.at(-1) as string;
  const id = readExactInteger((holder as JsonObject | undefined)?.[name] as Json, text, path);
  if (id !== undefined) Object.assign(holder as JsonObject, { [name]: id });
}

/**
 * Request state contains earlier answers in an encoded form, in which secrets cannot be found. Its last characters, part of the
 * signature, still show which request belongs to which result.
 */
function truncateRequestState(message: JsonObject): JsonObject {
  const shorten = (member: "params" | "result"): JsonObject => {
    const holder = message[member];
    if (!isObject(holder) || typeof holder["requestState"] !== "string") return {};
    return { [member]: { ...holder, requestState: `…${holder["requestState"].slice(-16)}` } };
  };
  return { ...message, ...shorten("params"), ...shorten("result") };
}

const removeRequestState = (text: string): string => text.replaceAll(/("requestState"\s*:\s*")[^"]*/g, "$1…");
