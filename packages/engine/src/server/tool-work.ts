import { RpcError } from "../jsonrpc/errors.js";
import type { JsonObject } from "../jsonrpc/json.js";
import type { Id } from "../jsonrpc/messages.js";
import { Content } from "../protocol/content.js";
import { type Outcome, ToolError, type ToolResult } from "../protocol/outcome.js";
import { metaOf } from "../revisions/revision.js";
import type { Reading } from "../schema/schema.js";
import { refuseArguments, WrongArguments } from "./arguments.js";
import { createAsker } from "./asking/ask.js";
import type { Asker } from "./asking/asker.js";
import { AuthorCall } from "./author-call.js";
import type { Exchange } from "./exchange.js";
import { legacyError } from "./legacy-codes.js";
import type { RegisteredTool } from "./registry.js";
import { failureResult, structuredResult, toolResult, withReceipt } from "./tool-result.js";
import type { Work } from "./work.js";

/** The longest message of a failure: more than any model reads, less than what harms. */
const LONGEST_MESSAGE = 65_536;

/** One run of a tool: starts it with a call of its own, and turns what comes of it into an outcome. */
export class ToolWork implements Work {
  readonly #exchange: Exchange;
  readonly #entry: RegisteredTool;
  readonly #reading: Reading | Promise<Reading>;
  #repairs: readonly string[] = [];
  #asker: Asker | undefined;

  constructor(exchange: Exchange, entry: RegisteredTool, reading: Reading | Promise<Reading>) {
    this.#exchange = exchange;
    this.#entry = entry;
    this.#reading = reading;
    const { params } = exchange.request;
    // State and answers are checked even when the tool does not ask: forged ones must never pass unnoticed.
    if (
      !exchange.revision.handshake &&
      params !== undefined &&
      ("requestState" in params || "inputResponses" in params)
    ) {
      this.#asker = createAsker(exchange);
    }
  }

  get tool(): string {
    return this.#entry.tool.name;
  }

  get timeoutMs(): number {
    return this.#entry.timeoutMs;
  }

  get asker(): Asker {
    this.#asker ??= createAsker(this.#exchange);
    return this.#asker;
  }

  /** Tokens that JSON numbers cannot hold exactly are passed over: no progress is better than progress for another call. */
  get progressToken(): Id | undefined {
    const token = metaOf(this.#exchange.request)?.["progressToken"];
    return typeof token === "string" || Number.isSafeInteger(token) ? (token as Id) : undefined;
  }

  start(): unknown {
    const reading = this.#reading;
    if (!(reading instanceof Promise)) return this.#run(reading);
    return reading.then((read) => (this.#exchange.isDone ? undefined : this.#run(read)));
  }

  finish(value: unknown): Outcome | Promise<Outcome> {
    const unanswered = this.#unanswered();
    if (unanswered) return unanswered;
    const { output } = this.#entry;
    if (output === undefined) return this.#complete(toolResult(value));
    const result = value instanceof Content ? toolResult(value) : structuredResult(value);
    // What is checked is what the client will read: the value as JSON has it.
    const reading = output.read(result.structured === undefined ? undefined : JSON.parse(result.structured));
    return reading instanceof Promise
      ? reading.then((read) => this.#check(read, result))
      : this.#check(reading, result);
  }

  fail(error: unknown): Outcome {
    const unanswered = this.#unanswered();
    if (unanswered) return unanswered;
    if (error instanceof RpcError) throw error;
    if (error instanceof WrongArguments) return refuseArguments(this.#exchange, this.#entry, error.reading);
    const known = error instanceof ToolError ? error : this.#unexpected(error);
    const { legacyCodes } = this.#exchange.core.settings;
    const legacy = this.#exchange.revision.handshake
      ? legacyError(legacyCodes, known.code ?? "FAILED", known.message)
      : undefined;
    if (legacy) throw legacy;
    const details = this.#detailsOf(known);
    return { kind: "tool", result: failureResult(cut(known.message), details, this.#entry.output !== undefined) };
  }

  #detailsOf({ code, details }: ToolError): JsonObject {
    const known = code === undefined ? {} : { code };
    try {
      return { ...known, ...(JSON.parse(JSON.stringify(details)) as JsonObject) };
    } catch (error) {
      this.#exchange.core.settings.log({
        level: "error",
        message: `tool "${this.tool}" failed with details that JSON cannot write`,
        error,
      });
      return known;
    }
  }

  #run(reading: Reading): unknown {
    if (!reading.ok) throw new WrongArguments(reading);
    this.#repairs = reading.repairs;
    return this.#entry.tool.run(reading.value as never, new AuthorCall(this.#exchange, this));
  }

  /** What is still unanswered decides the outcome, not what the handler returned or threw. */
  #unanswered(): Outcome | undefined {
    const pending = this.#asker?.pending();
    return pending && { kind: "input_required", ...pending };
  }

  #check(reading: Reading, result: ToolResult): Outcome {
    if (!reading.ok)
      throw new TypeError(`The result does not match the tool's output schema: ${reading.faults.join("; ")}`);
    return this.#complete(typeof result.content === "string" ? structuredResult(reading.value) : result);
  }

  #complete(result: ToolResult): Outcome {
    return { kind: "tool", result: this.#repairs.length === 0 ? result : withReceipt(result, this.#repairs) };
  }

  #unexpected(error: unknown): ToolError {
    const reference = crypto.randomUUID().slice(0, 8);
    const { core, request } = this.#exchange;
    core.settings.log({
      level: "error",
      message: `tool "${this.tool}" failed (reference ${reference})`,
      requestId: request.id,
      error,
    });
    return new ToolError(`The tool failed unexpectedly. Reference: ${reference}`);
  }
}

/** Some code puts other things than text into `message`; a result must be text all the same. */
function cut(message: unknown): string {
  const text = typeof message === "string" ? message : (JSON.stringify(message) ?? "");
  return text.length <= LONGEST_MESSAGE ? text : `${text.slice(0, LONGEST_MESSAGE)}…`;
}
