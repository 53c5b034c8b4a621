import { truncate } from "../../jsonrpc/errors.js";
import { isObject, type Json, type RequestId } from "../../jsonrpc/messages.js";
import type { LogLevel } from "../../protocol/types.js";
import { TokenBucket } from "../limits/quota.js";
import type { Logger } from "./log.js";
import type { Redaction } from "./redaction.js";

/** What was rejected. */
export interface LoggedRejection {
  readonly reason: string;
  /** The method of the request; undefined if the message had none. */
  readonly method: string | undefined;
  readonly requestId: RequestId | undefined;
  /** The name of the tool, if it has that tool. */
  readonly tool?: string | undefined;
  readonly principal: string | undefined;
}

/** How many rejections are logged at once, and how many per second after that: clients must not be able to fill a disk. */
const RATE = { burst: 100, perSecond: 1 };

/** The longest reason that is logged, and the longest name or id. */
const MAX_REASON_LENGTH = 500;
const MAX_NAME_LENGTH = 100;

/** Logs the messages and calls that a server rejects. What comes from clients is redacted and truncated. */
export class RejectionLog {
  readonly #log: Logger;
  readonly #level: LogLevel;
  readonly #redaction: Redaction;
  readonly #bucket = new TokenBucket(RATE);
  #unlogged = 0;

  constructor(settings: { readonly log: Logger; readonly rejectionLevel: LogLevel; readonly redaction: Redaction }) {
    this.#log = settings.log;
    this.#level = settings.rejectionLevel;
    this.#redaction = settings.redaction;
  }

  add({ reason, method, requestId, tool, principal }: LoggedRejection): void {
    if (!this.#bucket.tryTake()) {
      this.#unlogged += 1;
      return;
    }
    const subject = method === undefined ? "message" : this.#truncate(method, MAX_NAME_LENGTH);
    const unlogged =
      this.#unlogged === 0 ? "" : ` (rejections before this one that were not logged: ${this.#unlogged})`;
    this.#unlogged = 0;
    this.#log({
      level: this.#level,
      message: `${subject} rejected: ${this.#truncate(reason, MAX_REASON_LENGTH)}${unlogged}`,
      ...(requestId !== undefined && {
        requestId: typeof requestId === "string" ? this.#truncate(requestId, MAX_NAME_LENGTH) : requestId,
      }),
      ...(tool !== undefined && { tool }),
      ...(principal !== undefined && { principal }),
    });
  }

  /** One line. Redacted first, because a truncated secret is not recognized. */
  #truncate(text: string, maxLength: number): string {
    return truncate(this.#redaction.text(text.slice(0, 2 * maxLength)).replaceAll(/\s*\n\s*/g, " "), maxLength);
  }
}

/** The method of what may be a request. */
export function methodOf(value: Json | undefined): string | undefined {
  const method = isObject(value) ? value["method"] : undefined;
  return typeof method === "string" ? method : undefined;
}
