import { isLogLevel, LOG_LEVELS, type LogLevel } from "../protocol/caller.js";
import { refuseUnknown } from "./known-members.js";
import type { LogEntry } from "./log-entry.js";
import { toJsonLine, toTextLine } from "./log-line.js";
import { createRedaction, type Redaction } from "./redact.js";
import { writeStderr } from "./stderr.js";

export type { LogEntry } from "./log-entry.js";

/** Where the server's own log goes. */
export interface Log {
  (entry: LogEntry): void;
  /** Whether lines of this level are written. What is said of each single call is said only where this says yes. */
  isOn?(level: LogLevel): boolean;
}

/** What `createLog` takes. */
export interface LogOptions {
  /** The least severe level that is written; `notice` by default. */
  readonly level?: LogLevel;
  /** `text` for people, by default; `json` for programs, an object a line. */
  readonly format?: "text" | "json";
  /** Takes each line, without its newline; writes it to stderr by default. */
  readonly write?: (line: string) => void;
  /** What blanks secrets; by default what a server says is blanked as its `redact` has it, and the rest by the common rules. */
  readonly redaction?: Redaction;
}

/** A log that writes lines, and whose level can be changed while the server runs. */
export interface LineLog extends Log {
  /** `redaction` counts where the log was made without one. */
  (entry: LogEntry, redaction?: Redaction): void;
  level: LogLevel;
  isOn(level: LogLevel): boolean;
}

/** Makes a log that writes a line for each entry: `[ERROR] [req_id=7] text`, or JSON. */
export function createLog(options: LogOptions = {}): LineLog {
  refuseUnknown("create the log", options, { level: true, format: true, write: true, redaction: true });
  const { format = "text", write = toStderr } = options;
  let common: Redaction | undefined;
  if (format !== "text" && format !== "json")
    throw new TypeError(`Cannot create the log: format must be text or json, not ${String(format)}`);
  const toLine = format === "json" ? toJsonLine : toTextLine;
  let least = rankOf(options.level ?? "notice");
  const isOn = (level: LogLevel): boolean => LOG_LEVELS.indexOf(level) >= least;
  const log = (entry: LogEntry, redaction?: Redaction): void => {
    if (!isOn(entry.level)) return;
    const blanking = options.redaction ?? redaction ?? (common ??= createRedaction());
    write(lineOf(entry, toLine, blanking));
  };
  return Object.defineProperties(log, {
    isOn: { value: isOn },
    level: {
      get: () => LOG_LEVELS[least],
      set: (level: LogLevel) => {
        least = rankOf(level);
      },
    },
  }) as LineLog;
}

/** Some code puts other things than text where text belongs; a log must not fail for it. */
function lineOf(entry: LogEntry, toLine: typeof toTextLine, redaction: Redaction): string {
  try {
    return toLine(entry, redaction);
  } catch {
    return toLine({ level: entry.level, message: "an entry that cannot be shown" }, redaction);
  }
}

function rankOf(level: LogLevel): number {
  if (isLogLevel(level)) return LOG_LEVELS.indexOf(level);
  throw new TypeError(`"${String(level)}" is no log level; there are ${LOG_LEVELS.join(", ")}`);
}

const toStderr = (line: string): void => writeStderr(`${line}\n`);
