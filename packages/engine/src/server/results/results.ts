import type { ToolResult } from "../../protocol/outcome.js";
import type { Limits } from "../limits.js";
import type { Log } from "../log.js";
import type { ResourceTemplate } from "../resource.js";
import type { Tool } from "../tool.js";
import { Cut } from "./cut.js";
import { createFamily } from "./family.js";
import { bytesOf, mayExceed } from "./measure.js";
import { DEFAULT_BUDGET, type ResultsSettings } from "./options.js";
import { createReadTool } from "./read-tool.js";
import { ResultStore } from "./store.js";

/** The least part of a message that may be a head: written down, a byte of it can take six. */
const HEAD_SHARE = 8;

/** The call whose result it is. */
export interface Occasion {
  readonly tool: string;
  readonly principal: string | undefined;
  readonly budgetBytes: number;
  /** Whether the client holds structured content against a schema. */
  isBound(): boolean;
  /** Bytes of the whole answer with this result. */
  wireBytes(result: ToolResult): number;
}

/** Cuts results that are too large to a head and a handle, and keeps the whole for those who read on. */
export class Results {
  readonly tools: readonly Tool[];
  readonly resources: readonly ResourceTemplate[];
  readonly #settings: ResultsSettings;
  readonly #limits: Limits;
  readonly #store: ResultStore;

  constructor(settings: ResultsSettings, limits: Limits, log: Log) {
    this.#settings = settings;
    this.#limits = limits;
    this.#store = new ResultStore(settings, log);
    this.tools = [createReadTool(this.#store, this.#headBytes(settings.budgetBytes))];
    this.resources = [createFamily(this.#store, limits)];
  }

  /** Tidies up after servers that are gone. */
  open(): Promise<void> {
    return this.#store.open();
  }

  /** Forgets everything. */
  close(): Promise<void> {
    return this.#store.close();
  }

  /** Tells the few results that `fit` must look at. */
  mayExceed(result: ToolResult, budgetBytes: number): boolean {
    return mayExceed(result, budgetBytes, this.#limits.messageBytes);
  }

  /** The result itself where it is within its budget and can leave whole, or what is shown of it. */
  fit(result: ToolResult, occasion: Occasion): ToolResult | Promise<ToolResult> {
    const { tool, principal, budgetBytes } = occasion;
    const isWithin = bytesOf(result) <= budgetBytes;
    if (isWithin && !this.mayExceed(result, Number.POSITIVE_INFINITY)) return result;
    if (isWithin && occasion.wireBytes(result) <= this.#limits.messageBytes) return result;
    const cut = new Cut({
      tool,
      principal,
      headBytes: this.#headBytes(budgetBytes),
      messageBytes: this.#limits.messageBytes,
      expiresAt: Date.now() + this.#settings.ttlMs,
      keep: (kept, buffer) => this.#store.keep(kept, buffer),
    });
    return cut.result(result, occasion.isBound());
  }

  #headBytes(budgetBytes: number): number {
    const budget = Number.isFinite(budgetBytes) ? budgetBytes : DEFAULT_BUDGET;
    return Math.max(1, Math.min(budget, Math.floor(this.#limits.messageBytes / HEAD_SHARE)));
  }
}
