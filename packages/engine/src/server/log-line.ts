import { encodeId } from "../jsonrpc/codec.js";
import type { Id } from "../jsonrpc/messages.js";
import { builtin } from "./builtin.js";
import type { LogEntry } from "./log-entry.js";
import type { Redaction } from "./redact.js";

/** How many errors are told of one entry, its causes included. */
const MOST_CAUSES = 8;

/** An entry as people read it: `[ERROR] [req_id=7] [tool=add] [12 ms] message`, and what follows it indented. */
export function toTextLine(
  { level, message, requestId, tool, principal, session, durationMs, error }: LogEntry,
  redaction: Redaction,
): string {
  const marks = [
    level.toUpperCase(),
    ...(requestId === undefined ? [] : [`req_id=${idText(requestId, redaction)}`]),
    ...(tool === undefined ? [] : [`tool=${tool}`]),
    ...(principal === undefined ? [] : [`principal=${principal}`]),
    ...(session === undefined ? [] : [`session=${session}`]),
    ...(durationMs === undefined ? [] : [`${rounded(durationMs)} ms`]),
    // Each for itself: what looks like the beginning of a secret in one must not hide the next.
  ].map((mark) => `[${oneLine(redaction.text(mark))}]`);
  const detail = error === undefined ? "" : `\n${causesOf(error).map(describe).join("\nCaused by: ")}`;
  return indented(`${marks.join(" ")} ${redaction.text(`${message}${detail}`)}`);
}

/** An entry as programs read it: one JSON object in one line. */
export function toJsonLine(entry: LogEntry, redaction: Redaction): string {
  const { level, message, requestId, tool, principal, session, durationMs, error } = entry;
  const duration = durationMs === undefined ? undefined : rounded(durationMs);
  const causes = error === undefined ? undefined : causesOf(error).map(toMembers);
  const told = causes?.reduceRight((cause, one) => ({ ...one, cause }));
  const time = new Date().toISOString();
  // The id may be a number that JSON would round, so it is written as the client sent it.
  const id = requestId === undefined ? "" : `"requestId":${idText(requestId, redaction)},`;
  const rest = redaction.json({
    message: message ?? "",
    tool,
    principal,
    session,
    durationMs: duration,
    error: told,
  });
  return escaped(`{"time":"${time}","level":"${level}",${id}${rest.slice(1)}`);
}

function idText(id: Id, redaction: Redaction): string {
  const text = String(id);
  return redaction.text(text) === text ? encodeId(id) : redaction.json(text);
}

const rounded = (durationMs: number): number =>
  durationMs >= 10 ? Math.round(durationMs) : Math.round(durationMs * 10) / 10;

/** What was thrown, and what led to it. Anything can be thrown, also what cannot be looked at. */
function causesOf(error: unknown): unknown[] {
  const causes = new Set([error]);
  try {
    for (const one of causes) {
      if (!(one instanceof Error)) continue;
      const further: unknown[] = one instanceof AggregateError ? [...one.errors, one.cause] : [one.cause];
      for (const cause of further) if (cause !== undefined && causes.size < MOST_CAUSES) causes.add(cause);
    }
  } catch {
    // What is known so far is told.
  }
  return [...causes];
}

const UNSHOWN = "an error that cannot be shown";

function describe(error: unknown): string {
  try {
    if (!(error instanceof Error)) return builtin("node:util").inspect(error);
    // Some code puts other things than text there.
    const { stack, message }: { readonly stack?: unknown; readonly message: unknown } = error;
    return [stack, message].find((text) => typeof text === "string") ?? UNSHOWN;
  } catch {
    return UNSHOWN;
  }
}

interface ErrorMembers {
  readonly name?: string;
  readonly message: string;
  readonly stack?: string;
  readonly cause?: ErrorMembers;
}

function toMembers(error: unknown): ErrorMembers {
  try {
    if (!(error instanceof Error)) return { message: describe(error) };
    const { name, message, stack } = error;
    return { name, message, ...(stack !== undefined && { stack }) };
  } catch {
    return { message: describe(error) };
  }
}

// Control characters of a terminal, and those that turn the direction of a line, could make a line look like another.
// oxlint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

const escaped = (text: string): string =>
  text.replace(CONTROL, (sign) => (sign === "\t" ? sign : `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`));

const indented = (text: string): string => escaped(text.replaceAll("\r\n", "\n").trimEnd()).replaceAll("\n", "\n    ");

const oneLine = (text: string): string => text.replaceAll("\n", "\\n");
