import { encodeNotification } from "../jsonrpc/codec.js";
import type { Id } from "../jsonrpc/messages.js";
import { isLogLevel, LOG_LEVELS, type LogLevel } from "../protocol/caller.js";
import { monotonic } from "./clock.js";
import type { Exchange } from "./exchange.js";
import { progressTokenOf, sendProgress } from "./progress.js";

/** What one call tells the client before its answer: progress and log lines, each in bounds. */
export class Notices {
  readonly #exchange: Exchange;
  readonly #progressToken: Id | undefined;
  #progress = Number.NEGATIVE_INFINITY;
  #windowStart = 0;
  #sentInWindow = 0;

  constructor(exchange: Exchange) {
    this.#exchange = exchange;
    this.#progressToken = progressTokenOf(exchange);
  }

  progress(value: number, message: string | undefined, total: number | undefined): void {
    const exchange = this.#exchange;
    if (exchange.isDone || !(Number.isFinite(value) && value > this.#progress)) return;
    this.#progress = value;
    exchange.touch();
    if (this.#progressToken === undefined || !this.#maySend()) return;
    sendProgress(exchange, this.#progressToken, value, message, total);
  }

  log(level: LogLevel, data: unknown, logger: string | undefined): void {
    if (!isLogLevel(level))
      throw new TypeError(`"${String(level)}" is no log level; there are ${LOG_LEVELS.join(", ")}`);
    const { core, revision, link, caller } = this.#exchange;
    const wanted = revision.handshake ? link.session.caller?.logLevel : caller.logLevel;
    if (wanted === undefined || LOG_LEVELS.indexOf(level) < LOG_LEVELS.indexOf(wanted) || !this.#maySend()) return;
    const name = typeof logger !== "string" ? "" : `"logger":${JSON.stringify(logger)},`;
    const params = `{"level":"${level}",${name}"data":${core.settings.redaction.json(data)}}`;
    this.#exchange.send(encodeNotification("notifications/message", params));
  }

  /** A burst of messages, and as many again each second: a tool in a tight loop cannot flood the client. */
  #maySend(): boolean {
    if (this.#exchange.link.isFull === true) return false;
    const now = monotonic();
    if (now - this.#windowStart > 1000) {
      this.#windowStart = now;
      this.#sentInWindow = 0;
    }
    this.#sentInWindow += 1;
    return this.#sentInWindow <= this.#exchange.core.settings.limits.notificationBurst;
  }
}
