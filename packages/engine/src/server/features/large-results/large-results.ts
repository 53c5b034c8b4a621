import { ToolError, type ToolOutcome } from "../../../protocol/outcome.js";
import type { Definitions } from "../../definitions/pack.js";
import { type ResourceTemplate, type ResourceValue, resourceTemplate } from "../../definitions/resource.js";
import type { RegisteredTool, Tool } from "../../definitions/tool.js";
import type { Limits } from "../../limits/limits.js";
import type { RequestContext } from "../../request-context.js";
import { DEFAULT_LARGE_RESULTS, type LargeResultsSettings, READ_RESULT_TOOL } from "./options.js";
import { createReadTool, exampleArguments } from "./read-tool.js";
import { ResultStore, type StoredResult } from "./result-store.js";
import { measureResult, Truncation } from "./truncate.js";

/** The size of a response without the result in it, with a notice about corrected arguments or the members of a task. */
const ENVELOPE_BYTES = 4096;

/** The largest part of a message that may be an excerpt: its encoding can take six bytes for one. */
const EXCERPT_DIVISOR = 8;

/** Truncates large results and stores them, so that clients can read them in parts. */
export class LargeResults {
  readonly tools: readonly Tool[];
  readonly resources: readonly ResourceTemplate[];
  readonly #limits: Limits;
  readonly #store: ResultStore;

  /** Throws `TypeError` if a tool of other definitions has the name of the one that reads results. */
  constructor(settings: LargeResultsSettings, limits: Limits, others: readonly Definitions[]) {
    rejectConflictingTool(others);
    this.#limits = limits;
    this.#store = new ResultStore(settings);
    this.tools = [createReadTool(this.#store, this.#excerptBytes(settings.budgetBytes))];
    this.resources = [createResultTemplate(this.#store, limits)];
  }

  /** Discards all results. */
  close(): void {
    this.#store.close();
  }

  /** Returns the result itself if it is within its budget and fits in a message, otherwise a truncated one. */
  limit(result: ToolOutcome, ctx: RequestContext, { tool, output, budgetBytes }: RegisteredTool): ToolOutcome {
    const { messageBytes } = this.#limits;
    const { bytes, maxEncodedBytes } = measureResult(result);
    if (bytes <= budgetBytes) {
      if (maxEncodedBytes <= messageBytes) return result;
      const encoded = ctx.revision.writeResult({ kind: "tool", result }, ctx.state.serverInfoMeta);
      if (Buffer.byteLength(encoded) + ENVELOPE_BYTES <= messageBytes) return result;
    }
    const truncation = new Truncation({
      tool: tool.name,
      principal: ctx.principal,
      store: this.#store,
      excerptBytes: this.#excerptBytes(budgetBytes),
      messageBytes,
    });
    const isValidated = output !== undefined && ctx.revision.writeStructuredContent(result.structured) !== undefined;
    return truncation.truncate(result, isValidated);
  }

  #excerptBytes(budgetBytes: number): number {
    const budget = Number.isFinite(budgetBytes) ? budgetBytes : DEFAULT_LARGE_RESULTS.budgetBytes;
    return Math.max(1, Math.min(budget, Math.floor(this.#limits.messageBytes / EXCERPT_DIVISOR)));
  }
}

/** The stored results as resources. They can be read if they fit in a message, and are not listed. */
function createResultTemplate(store: ResultStore, limits: Limits): ResourceTemplate {
  return resourceTemplate({
    uri: "result://{id}",
    name: "result",
    title: "Truncated results",
    description: `The whole of a tool's result that was too large to show; parts of it are read with the tool ${READ_RESULT_TOOL}.`,
    read({ id }: { id: string }, call): ResourceValue {
      const result = store.find(id, call.principal);
      if (result === undefined) return undefined;
      const { bytes, lines, mimeType } = result;
      const { messageBytes } = limits;
      // The encoded contents are never smaller, and only the smaller ones are worth encoding.
      if (bytes.length > messageBytes) throw tooLargeError(result, messageBytes);
      const text = bytes.toString(lines === undefined ? "base64" : "utf8");
      if (Buffer.byteLength(JSON.stringify(text)) + ENVELOPE_BYTES > messageBytes)
        throw tooLargeError(result, messageBytes);
      return lines === undefined ? { blob: bytes, mimeType } : { text, mimeType };
    },
  });
}

function tooLargeError(result: StoredResult, limit: number): ToolError {
  const bytes = result.bytes.length;
  const suggestion =
    result.lines === undefined
      ? "It is binary and cannot be read in parts: request less from the tool."
      : `Read it in parts with the tool ${READ_RESULT_TOOL}: ${exampleArguments(result, { from_line: 1 })}`;
  return new ToolError(`The result has ${bytes} bytes, but a message is limited to ${limit}. ${suggestion}`, {
    code: "RESULT_TOO_LARGE",
    details: { limit: "messageBytes", bytes, max: limit },
  });
}

function rejectConflictingTool(definitions: readonly Definitions[]): void {
  const conflicting = definitions
    .flatMap(({ tools = [] }) => tools)
    .find(({ name, aliases }) => name === READ_RESULT_TOOL || aliases?.includes(READ_RESULT_TOOL));
  if (conflicting === undefined) return;
  throw new TypeError(
    `Cannot register tool "${conflicting.name}": with largeResults, the name "${READ_RESULT_TOOL}" is already taken. ` +
      "Rename the tool, or create the server without largeResults",
  );
}
