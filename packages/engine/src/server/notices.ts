import { encodeId, encodeNotification } from "../jsonrpc/codec.js";
import type { Json, JsonObject } from "../jsonrpc/json.js";
import type { Id } from "../jsonrpc/messages.js";
import { LOG_LEVELS, type LogLevel } from "../protocol/caller.js";
import type { Exchange } from "./exchange.js";
import { redact } from "./redact.js";

/** What one call tells the client before its answer: progress and log lines, each in bounds. */
export class Notices {
  readonly #exchange: Exchange;
  readonly #progressToken: Id | undefined;
  #progress = Number.NEGATIVE_INFINITY;
  #windowStart = 0;
  #sentInWindow = 0;

  constructor(exchange: Exchange, progressToken: Id | undefined) {
    this.#exchange = exchange;
    this.#progressToken = progressToken;
  }

  progress(value: number, message: string | undefined, total: number | undefined): void {
    const exchange = this.#exchange;
    if (exchange.isDone || !(value > this.#progress && value < Number.POSITIVE_INFINITY)) return;
    this.#progress = value;
    exchange.touch();
    if (this.#progressToken === undefined || !this.#maySend()) return;
    const params = {
      progress: value,
      ...(total !== undefined && { total }),
      ...(message !== undefined && { message }),
    };
    const rest = JSON.stringify(exchange.revision.writeProgress(params)).slice(1);
    exchange.reportedAt = performance.now();
    exchange.send(
      encodeNotification("notifications/progress", `{"progressToken":${encodeId(this.#progressToken)},${rest}`),
    );
  }

  log(level: LogLevel, data: Json, logger: string | undefined): void {
    const { revision, link, caller } = this.#exchange;
    const wanted = revision.handshake ? link.session.caller?.logLevel : caller.logLevel;
    if (wanted === undefined || LOG_LEVELS.indexOf(level) < LOG_LEVELS.indexOf(wanted) || !this.#maySend()) return;
    const params: JsonObject = { level, ...(logger !== undefined && { logger }), data: redact(data) };
    this.#exchange.send(encodeNotification("notifications/message", JSON.stringify(params)));
  }

  /** A burst of messages, and as many again each second: a tool in a tight loop cannot flood the client. */
  #maySend(): boolean {
    const now = performance.now();
    if (now - this.#windowStart > 1000) {
      this.#windowStart = now;
      this.#sentInWindow = 0;
    }
    this.#sentInWindow += 1;
    return this.#sentInWindow <= this.#exchange.core.settings.limits.notificationBurst;
  }
}
