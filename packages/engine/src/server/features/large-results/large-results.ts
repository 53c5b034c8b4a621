import { ToolError, type ToolOutcome } from "../../../protocol/outcome.js";
import type { Definitions } from "../../definitions/pack.js";
import { type ResourceTemplate, type ResourceValue, resourceTemplate } from "../../definitions/resource.js";
import type { Tool } from "../../definitions/tool.js";
import type { Limits } from "../../limits/limits.js";
import { DEFAULT_BUDGET_BYTES, type LargeResultsSettings, READ_RESULT_TOOL } from "./options.js";
import { createReadTool, exampleArguments } from "./read-tool.js";
import { ResultStore, type StoredResult } from "./result-store.js";
import { mayExceed, resultBytes, truncateResult } from "./truncate.js";

/** The size of a response without the result in it. */
const ENVELOPE_BYTES = 4096;

/** The largest part of a message that may be an excerpt: its encoding can take six bytes for one. */
const EXCERPT_DIVISOR = 8;

/** The stored results as resources. They can be read if they fit in a message, and are not listed. */
function createResultTemplate(store: ResultStore, limits: Limits): ResourceTemplate {
  return resourceTemplate({
    uri: "result://{id}",
    name: "result",
    title: "Truncated results",
    description: `The whole of a tool's result that was too large to show; parts of it are read with the tool ${READ_RESULT_TOOL}.`,
    read({ id }: { id: string }, call): ResourceValue {
      const { messageBytes } = limits;
      const result = store.find(id, call.principal);
      if (result === undefined) return undefined;
      const { bytes, lines, mimeType } = result;
      // Base64 takes four characters for three bytes.
      const minBytes = lines === undefined ? Math.ceil(bytes.length / 3) * 4 : bytes.length;
      if (minBytes + ENVELOPE_BYTES > messageBytes) throw tooLargeError(result, messageBytes);
      if (lines === undefined) return { blob: bytes, mimeType };
      const text = bytes.toString();
      if (Buffer.byteLength(JSON.stringify(text)) + ENVELOPE_BYTES > messageBytes)
        throw tooLargeError(result, messageBytes);
      return { text, mimeType };
    },
  });
}

function tooLargeError(result: StoredResult, limit: number): ToolError {
  const { lines } = result;
  const bytes = result.bytes.length;
  const suggestion =
    lines === undefined
      ? "It is binary and cannot be read in parts: request less from the tool."
      : `Read it in parts with the tool ${READ_RESULT_TOOL}: ${exampleArguments(result, { from_line: 1 })}`;
  return new ToolError(`The result has ${bytes} bytes, but a message is limited to ${limit}. ${suggestion}`, {
    code: "RESULT_TOO_LARGE",
    details: { limit: "messageBytes", bytes, most: limit },
  });
}

/** The call that returned a result. */
export interface ResultContext {
  readonly tool: string;
  readonly principal: string | undefined;
  readonly budgetBytes: number;
  /** Whether the client validates structured content against a schema. */
  validatesOutput(): boolean;
  /** The size of the response with this result. */
  responseBytes(result: ToolOutcome): number;
}

/** Truncates large results and stores them, so that clients can read them in parts. */
export class LargeResults {
  readonly tools: readonly Tool[];
  readonly resources: readonly ResourceTemplate[];
  readonly #settings: LargeResultsSettings;
  readonly #limits: Limits;
  readonly #store: ResultStore;

  constructor(settings: LargeResultsSettings, limits: Limits) {
    this.#settings = settings;
    this.#limits = limits;
    this.#store = new ResultStore(settings);
    this.tools = [createReadTool(this.#store, this.#excerptBytes(settings.budgetBytes))];
    this.resources = [createResultTemplate(this.#store, limits)];
  }

  /** Discards all results. */
  close(): void {
    this.#store.close();
  }

  /** A quick check for the few results that have to be measured by `truncate`. */
  mayExceed(result: ToolOutcome, budgetBytes: number): boolean {
    return mayExceed(result, budgetBytes, this.#limits.messageBytes);
  }

  /** Returns the result itself if it is within its budget and fits in a message, otherwise a truncated one. */
  truncate(result: ToolOutcome, context: ResultContext): ToolOutcome {
    const { tool, principal, budgetBytes } = context;
    const { messageBytes } = this.#limits;
    if (resultBytes(result) <= budgetBytes) {
      if (!this.mayExceed(result, Number.POSITIVE_INFINITY)) return result;
      if (context.responseBytes(result) <= messageBytes) return result;
    }
    return truncateResult(result, {
      tool,
      principal,
      excerptBytes: this.#excerptBytes(budgetBytes),
      messageBytes,
      expiresAt: Date.now() + this.#settings.ttlMs,
      validatesOutput: context.validatesOutput(),
      store: this.#store,
    });
  }

  #excerptBytes(budgetBytes: number): number {
    const budget = Number.isFinite(budgetBytes) ? budgetBytes : DEFAULT_BUDGET_BYTES;
    return Math.max(1, Math.min(budget, Math.floor(this.#limits.messageBytes / EXCERPT_DIVISOR)));
  }
}

/** Enables large results. Throws `TypeError` if a tool has the name of the one that reads them. */
export function openLargeResults(
  settings: LargeResultsSettings,
  limits: Limits,
  definitions: readonly Definitions[],
): LargeResults {
  const conflicting = definitions
    .flatMap(({ tools = [] }) => tools)
    .find(({ name, aliases }) => name === READ_RESULT_TOOL || aliases?.includes(READ_RESULT_TOOL));
  if (conflicting === undefined) return new LargeResults(settings, limits);
  throw new TypeError(
    `Cannot register tool "${conflicting.name}": with largeResults, the name "${READ_RESULT_TOOL}" is already taken. ` +
      "Rename the tool, or create the server without largeResults",
  );
}
