import { encodeId, type RequestId } from "../../jsonrpc/messages.js";
import { LOG_LEVELS, type LogLevel } from "../../protocol/types.js";
import * as check from "../definitions/checks.js";
import { atCaller, omitUndefined } from "../definitions/validation.js";
import { getBuiltinModule, writeStderr } from "../runtime.js";
import { createRedaction, type Redaction } from "./redaction.js";

/** One entry of the server's own log, for its operators. It is never sent to a client. */
export interface LogEntry {
  readonly level: LogLevel;
  readonly message: string;
  readonly requestId?: RequestId;
  /** The tool that the entry is about. */
  readonly tool?: string;
  /** The authenticated client. */
  readonly principal?: string;
  readonly session?: string;
  readonly durationMs?: number;
  readonly error?: unknown;
}

/** The maximum number of errors in one entry, including causes. */
const MAX_ERRORS = 8;
const UNPRINTABLE_ERROR = "an error that cannot be printed";

/** Formats an entry for people: `[ERROR] [req_id=7] [tool=add] [12 ms] message`, with further lines indented. */
function formatTextLine(entry: LogEntry, redaction: Redaction): string {
  const { level, message, requestId, tool, principal, session, durationMs, error } = entry;
  const id = requestId === undefined ? undefined : formatId(requestId, redaction);
  const members = Object.entries(omitUndefined({ req_id: id, tool, principal, session }));
  const tags = [level.toUpperCase(), ...members.map(([name, value]) => `${name}=${value}`)];
  if (durationMs !== undefined) tags.push(`${roundDuration(durationMs)} ms`);
  // Each is redacted separately: what looks like the start of a secret in one must not hide the next.
  const prefix = tags.map((tag) => `[${redaction.text(tag).replaceAll("\n", "\\n")}]`).join(" ");
  const details = describeErrors(error).map(({ stack, message: text }) => stack ?? text);
  const body = [message, details.join("\nCaused by: ")].filter((part) => part !== "").join("\n");
  const text = `${prefix} ${redaction.text(body)}`.replaceAll("\r\n", "\n").trimEnd();
  return escapeControlCharacters(text).replaceAll("\n", "\n    ");
}

/** Formats an entry for programs: one JSON object on one line. */
function formatJsonLine(entry: LogEntry, redaction: Redaction): string {
  const { level, message, requestId, tool, principal, session, durationMs, error } = entry;
  // JSON.stringify would round a large numeric id.
  const id = requestId === undefined ? "" : `"requestId":${formatId(requestId, redaction)},`;
  const rest = redaction.json({
    message: message ?? "",
    tool,
    principal,
    session,
    durationMs: durationMs === undefined ? undefined : roundDuration(durationMs),
    error: describeErrors(error).reduceRight<object | undefined>(
      (cause, outer) => omitUndefined({ ...outer, cause }),
      undefined,
    ),
  });
  return escapeControlCharacters(`{"time":"${new Date().toISOString()}","level":"${level}",${id}${rest.slice(1)}`);
}

function formatId(id: RequestId, redaction: Redaction): string {
  const text = String(id);
  return redaction.text(text) === text ? encodeId(id) : redaction.json(text);
}

const roundDuration = (durationMs: number): number =>
  durationMs >= 10 ? Math.round(durationMs) : Math.round(durationMs * 10) / 10;

interface SerializedError {
  readonly name?: string | undefined;
  readonly message: string;
  readonly stack?: string | undefined;
}

/** Describes an error and its causes, the outermost first. Any value can be thrown, and the members of an error may have any type. */
function describeErrors(error: unknown): readonly SerializedError[] {
  if (error === undefined) return [];
  const errors = new Set([error]);
  const described: SerializedError[] = [];
  try {
    for (const outer of errors) {
      described.push(serializeError(outer));
      if (!(outer instanceof Error)) continue;
      const causes: unknown[] = outer instanceof AggregateError ? [...outer.errors, outer.cause] : [outer.cause];
      for (const cause of causes) if (cause !== undefined && errors.size < MAX_ERRORS) errors.add(cause);
    }
  } catch {
    // A getter has thrown.
    described.push({ message: UNPRINTABLE_ERROR });
  }
  return described;
}

function serializeError(error: unknown): SerializedError {
  if (!(error instanceof Error)) return { message: getBuiltinModule("node:util").inspect(error) };
  const { name, message, stack } = error as { name: unknown; message: unknown; stack?: unknown };
  return {
    name: typeof name === "string" ? name : undefined,
    message: typeof message === "string" ? message : UNPRINTABLE_ERROR,
    stack: typeof stack === "string" ? stack : undefined,
  };
}

// Terminal control characters and bidirectional marks could make a line look like another one.
// oxlint-disable-next-line no-control-regex
const CONTROL_CHARACTERS = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

const escapeControlCharacters = (text: string): string =>
  text.replace(CONTROL_CHARACTERS, (character) =>
    character === "\t" ? character : `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

/**
 * Receives the entries of the server's own log.
 *
 * @example
 * ```ts
 * const log: Logger = ({ level, message, error }) => console.error(level, message, error ?? "");
 * ```
 */
export interface Logger {
  (entry: LogEntry): void;
  /** The least severe level that is written. Single calls are logged only if it is `info` or `debug`. */
  level?: LogLevel;
}

/** Options of `createLogger`. */
export interface LoggerOptions {
  /** The least severe level that is written; `notice` by default. */
  readonly level?: LogLevel;
  /** `text`, the default, for people; `json` for programs, one object per line. */
  readonly format?: "text" | "json";
  /** Receives each line without its newline; writes it to stderr by default. */
  readonly write?: (line: string) => void;
  /** Redacts secrets. By default that of the server that logs, as its `redact` option configures it. */
  readonly redaction?: Redaction;
}

const LOGGER_CHECKS: check.Checks<LoggerOptions> = {
  level: check.oneOf(...LOG_LEVELS),
  format: check.oneOf("text", "json"),
  write: check.optional(check.isFunction, "must be a function"),
  redaction: check.anything,
};

/** A logger that writes lines, and whose level can be changed while the server runs. */
export interface LineLogger extends Logger {
  /** `redaction` is used if the logger was created without one. */
  (entry: LogEntry, redaction?: Redaction): void;
  level: LogLevel;
}

/**
 * Creates a log that writes a line for each entry: `[ERROR] [req_id=7] text`, or JSON. Throws `TypeError` for wrong options.
 *
 * @example
 * ```ts
 * createServer({ name: "weather", version: "1.0.0", tools, log: createLogger({ level: "debug", format: "json" }) });
 * ```
 */
export function createLogger(options: LoggerOptions = {}): LineLogger {
  atCaller(createLogger, () => check.validate("create the log", options, LOGGER_CHECKS));
  const { level = "notice", format = "text", write = writeLineToStderr } = options;
  const defaultRedaction = createRedaction();
  const formatLine = format === "json" ? formatJsonLine : formatTextLine;
  const log = (entry: LogEntry, serverRedaction = defaultRedaction): void => {
    if (LOG_LEVELS.indexOf(entry.level) < LOG_LEVELS.indexOf(logger.level)) return;
    const redaction = options.redaction ?? serverRedaction;
    let line: string;
    try {
      line = formatLine(entry, redaction);
    } catch {
      line = formatLine({ level: entry.level, message: "an entry that cannot be printed" }, redaction);
    }
    write(line);
  };
  const logger: LineLogger = Object.assign(log, { level });
  return logger;
}

const writeLineToStderr = (line: string): void => writeStderr(`${line}\n`);
