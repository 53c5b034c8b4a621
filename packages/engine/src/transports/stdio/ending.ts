import { internalError } from "../../jsonrpc/errors.js";
import type { Server } from "../../server/server.js";
import type { Conversation } from "../streams.js";
import { refuseWaiting, writeNow } from "./farewell.js";
import { plainWords } from "./plain-words.js";
import { givenReason } from "./reason.js";

/** How a process that serves over stdio ends, and what its client is told of it. */
export class Ending {
  readonly #server: Server;
  readonly #conversation: Conversation;
  #reason: string | undefined;
  #isStopping = false;

  constructor(server: Server, conversation: Conversation) {
    this.#server = server;
    this.#conversation = conversation;
    process.on("exit", (code) => this.#sayLastWords(code));
    // An error that nobody caught is the reason, if the process ends at once.
    const note = (error: unknown): void => {
      this.#reason = plainWords(error, server.redaction);
      setImmediate(() => {
        this.#reason = undefined;
      });
    };
    process.on("uncaughtException", note).on("unhandledRejection", note);
  }

  /** The server cannot start, and this is why. */
  async explain(error: unknown): Promise<void> {
    this.#reason = plainWords(error, this.#server.redaction);
    try {
      const { explain } = await import("./explain.js");
      this.#reason = explain(error);
    } catch {
      // Somebody may be replacing the engine's files, and the plain words do.
      return;
    }
  }

  /** Takes nothing new, lets running calls finish, and ends. A process that is asked twice goes at once. */
  stop(): void {
    const conversation = this.#conversation;
    if (this.#isStopping || conversation.isEnding) process.exit(0);
    this.#isStopping = true;
    if (conversation.hasBegun) void this.#server.drain().finally(() => conversation.finish());
    else conversation.finish();
  }

  #sayLastWords(code: number): void {
    const { hasBegun, isOver } = this.#conversation;
    const known = this.#reason ?? givenReason();
    if (!hasBegun && code !== 0)
      refuseWaiting(internalError(`The server cannot start: ${known ?? `it exited with code ${code}`}`), true);
    if (!hasBegun || isOver) return;
    const reason = known ?? (this.#isStopping ? "it was told twice to stop" : `it exited with code ${code}`);
    const next = "Whether this had effects is not known. Start the server again.";
    const error = internalError(`The server ended before it answered: ${reason}. ${next}`);
    writeNow(this.#conversation.lastWords(error));
    refuseWaiting(error, false);
  }
}
