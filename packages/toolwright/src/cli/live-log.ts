import { createLogger, type LogEntry, type Logger } from "@toolwright/engine";
import { createRedaction, type RedactOptions } from "@toolwright/engine/observability";
import { type Config, valueOf } from "../config/config.js";
import { readNamePattern } from "../config/kind.js";

/** A log whose level, format and redaction can change while the server runs. */
export interface LiveLog extends Logger {
  /** Makes it as a configuration has it. */
  follow(config: Config): void;
}

/** Creates the log of a server. */
export function createLiveLog(config: Config): LiveLog {
  let log = createLogOf(config);
  const live: LiveLog = Object.assign((entry: LogEntry) => log(entry), {
    level: log.level,
    follow: (next: Config) => {
      log = createLogOf(next);
      live.level = log.level;
    },
  });
  return live;
}

/** What is secret besides that which is named like a secret. */
export function readRedact(config: Config): RedactOptions {
  const key = valueOf(config, "auth.apiKey");
  return {
    names: (valueOf(config, "redact.names") ?? []).map(readNamePattern),
    // The environment has it no more, where the redaction would look for it.
    values: [...(valueOf(config, "redact.values") ?? []), ...(key === undefined || key.length < 4 ? [] : [key])],
  };
}

function createLogOf(config: Config): ReturnType<typeof createLogger> {
  return createLogger({
    level: valueOf(config, "log.level") ?? "notice",
    format: valueOf(config, "log.format") ?? "text",
    redaction: createRedaction(readRedact(config)),
  });
}
