import { encodeResult } from "../jsonrpc/codec.js";
import { RpcError } from "../jsonrpc/errors.js";
import type { Json, JsonObject } from "../jsonrpc/json.js";
import { Content } from "../protocol/content.js";
import { type Outcome, ToolError, type ToolResult } from "../protocol/outcome.js";
import type { Reading } from "../schema/schema.js";
import { refuseArguments, WrongArguments, type WrongReading } from "./arguments.js";
import { Asking } from "./asking/asking.js";
import { AuthorCall } from "./author-call.js";
import type { Exchange } from "./exchange.js";
import { legacyError } from "./legacy-codes.js";
import type { Share } from "./meters/share.js";
import type { RegisteredTool } from "./register-tool.js";
import type { Occasion } from "./results/results.js";
import { faultsForClient, forClient } from "./sanitise-failure.js";
import type { Tool } from "./tool.js";
import { contentResult, failureResult, structuredResult, toolResult, withReceipt } from "./tool-result.js";
import type { Work } from "./work.js";

/** The longest message of a failure: more than any model reads, less than what harms. */
const LONGEST_MESSAGE = 65_536;

/** What a receipt or the words of a task may add to an answer. */
const LEEWAY = 4096;

/** One run of a tool: starts it with a call of its own, and turns what comes of it into an outcome. */
export class ToolWork implements Work {
  readonly kind = "tool";
  readonly #exchange: Exchange;
  readonly #entry: RegisteredTool;
  readonly #reading: Reading | Promise<Reading>;
  readonly #asking: Asking;
  #repairs: readonly string[] = [];

  constructor(exchange: Exchange, entry: RegisteredTool, reading: Reading | Promise<Reading>) {
    this.#exchange = exchange;
    this.#entry = entry;
    this.#reading = reading;
    this.#asking = new Asking(exchange);
  }

  get name(): string {
    return this.#entry.tool.name;
  }

  get timeoutMs(): number {
    return this.#entry.timeoutMs;
  }

  get share(): Share {
    return this.#entry.share;
  }

  start(): unknown {
    return this.#asking.start(() => this.#read());
  }

  #read(): unknown {
    const reading = this.#reading;
    if (!(reading instanceof Promise)) return this.#run(reading);
    return reading.then((read) => (this.#exchange.isDone ? undefined : this.#run(read)));
  }

  outlivesTurn(): void {
    const { tasks } = this.#exchange.core;
    tasks?.consider(this.#exchange, this.#entry.tool, () => this.#asking.unanswered() !== undefined);
  }

  finish(value: unknown): Outcome | Promise<Outcome> {
    return this.#asking.conclude(() => this.#write(value));
  }

  fail(error: unknown): Outcome | Promise<Outcome> {
    return error instanceof RpcError
      ? this.#writeFailure(error)
      : this.#asking.conclude(() => this.#writeFailure(error));
  }

  #write(value: unknown): Outcome | Promise<Outcome> {
    const { output } = this.#entry;
    if (output === undefined) return this.#complete(toolResult(value));
    const result = value instanceof Content ? toolResult(value) : structuredResult(value);
    // What is checked is what the client will read: the value as JSON has it.
    const reading = output.read(result.structured === undefined ? undefined : JSON.parse(result.structured));
    return reading instanceof Promise
      ? reading.then((read) => this.#check(read, value, result))
      : this.#check(reading, value, result);
  }

  #writeFailure(thrown: unknown): Outcome | Promise<Outcome> {
    if (thrown instanceof WrongArguments) return this.#refuseArguments(thrown.reading);
    if (!(thrown instanceof RpcError || thrown instanceof ToolError)) return this.#tell(this.#unexpected(thrown));
    const told = forClient(this.#exchange, thrown);
    return told instanceof Promise ? told.then((failure) => this.#tell(failure)) : this.#tell(told);
  }

  #refuseArguments(reading: WrongReading): Outcome | Promise<Outcome> {
    const { tool, input } = this.#entry;
    const worded = this.#word(tool);
    const refuse = (faults: readonly string[]): Outcome =>
      refuseArguments(this.#exchange, this.#entry, { ...reading, faults }, worded !== undefined);
    const told = faultsForClient(this.#exchange, worded === undefined ? reading.faults : [worded], () => input.json);
    return told instanceof Promise ? told.then(refuse) : refuse(told);
  }

  /** The tool's own words for wrong arguments; where it fails to find any, the faults are told. */
  #word(tool: Tool): string | undefined {
    try {
      const worded: unknown = tool.wordRefusal?.(this.#exchange.request.params?.["arguments"] ?? {});
      return typeof worded === "string" ? worded : undefined;
    } catch (error) {
      this.#exchange.core.settings.log({ level: "error", message: `tool "${this.name}" failed in wordRefusal`, error });
      return undefined;
    }
  }

  #tell(known: RpcError | ToolError): Outcome {
    if (known instanceof RpcError) throw known;
    const { legacyCodes } = this.#exchange.core.settings;
    const legacy = this.#exchange.revision.handshake
      ? legacyError(legacyCodes, known.code ?? "FAILED", known.message)
      : undefined;
    if (legacy) throw legacy;
    const details = this.#detailsOf(known);
    const result = failureResult(cut(known.message), details, this.#entry.output !== undefined);
    // The receipt may be what was too large.
    return known.code === "RESULT_TOO_LARGE" ? { kind: "tool", result } : this.#outcome(result);
  }

  #detailsOf({ code, details }: ToolError): JsonObject {
    const known = code === undefined ? {} : { code };
    try {
      return { ...known, ...(JSON.parse(JSON.stringify(details)) as JsonObject) };
    } catch (error) {
      this.#exchange.core.settings.log({
        level: "error",
        message: `tool "${this.name}" failed with details that JSON cannot write`,
        error,
      });
      return known;
    }
  }

  #run(reading: Reading): unknown {
    if (!reading.ok) throw new WrongArguments(reading);
    this.#repairs = reading.repairs;
    return this.#entry.tool.run(reading.value as never, new AuthorCall(this.#exchange, this.#asking));
  }

  #check(reading: Reading, value: unknown, result: ToolResult): Outcome | Promise<Outcome> {
    if (!reading.ok)
      throw new TypeError(`The result does not match the tool's output schema: ${reading.faults.join("; ")}`);
    // A schema may leave out, fill in or change; what it lists is what it has made.
    const read = reading.value as Json | undefined;
    if (!(value instanceof Content)) return this.#complete(structuredResult(read));
    return this.#complete(JSON.stringify(read) === result.structured ? result : contentResult(value.blocks, read));
  }

  #complete(result: ToolResult): Outcome | Promise<Outcome> {
    const { results } = this.#exchange.core;
    if (results === undefined || !results.mayExceed(result, this.#entry.budgetBytes)) return this.#outcome(result);
    const fitting = results.fit(result, this.#occasion(result));
    return fitting instanceof Promise ? fitting.then((fit) => this.#outcome(fit)) : this.#outcome(fitting);
  }

  #outcome(result: ToolResult): Outcome {
    return { kind: "tool", result: this.#repairs.length === 0 ? result : withReceipt(result, this.#repairs) };
  }

  #occasion({ structured }: ToolResult): Occasion {
    const { core, revision, id, principal } = this.#exchange;
    const { tool, output, budgetBytes } = this.#entry;
    return {
      tool: tool.name,
      principal,
      budgetBytes,
      isBound: () => output !== undefined && revision.writeStructured(structured) !== undefined,
      wireBytes: (result) =>
        Buffer.byteLength(encodeResult(id, revision.writeResult({ kind: "tool", result }, core.identity))) + LEEWAY,
    };
  }

  #unexpected(error: unknown): ToolError {
    const reference = crypto.randomUUID().slice(0, 8);
    const { core, request } = this.#exchange;
    core.settings.log({
      level: "error",
      message: `tool "${this.name}" failed (reference ${reference})`,
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
