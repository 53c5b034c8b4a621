import { invalidParams } from "../jsonrpc/errors.js";
import { isObject, type JsonObject } from "../jsonrpc/json.js";
import type { ToolDescription } from "../protocol/description.js";
import type { Revision } from "../revisions/revision.js";
import { nearest } from "../schema/nearest.js";
import {
  createSchema,
  isStandardSchema,
  type Schema,
  type SchemaOptions,
  type SchemaSource,
} from "../schema/schema.js";
import { headerFault } from "./header-names.js";
import type { Settings } from "./settings.js";
import { checkTool, type Tool } from "./tool.js";

/** A tool as a server holds it: with its schemas and the server's switches settled. */
export interface RegisteredTool {
  readonly tool: Tool;
  readonly input: Schema;
  readonly output: Schema | undefined;
  readonly timeoutMs: number;
  readonly repairs: boolean;
}

/** Settles a tool for a server. Throws `TypeError` that names the tool and the fault. */
export function registerTool(tool: Tool, settings: Settings): RegisteredTool {
  checkTool(tool);
  const fault = (reason: string) => new TypeError(`Cannot register tool "${tool.name}": ${reason}`);
  const open = (member: string, schema: SchemaSource, options: SchemaOptions): Schema => {
    try {
      const opened = createSchema(schema, options);
      // A Standard Schema is converted here, so that one that cannot be shown to clients fails at start, not at the first list.
      if (isStandardSchema(schema)) void opened.json;
      return opened;
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      throw fault(error.message.replace(/^Cannot read the schema/, `cannot read the ${member} schema`));
    }
  };
  const repairs = (tool.repair ?? settings.repair) && tool.annotations?.destructiveHint !== true;
  const unknownKeys = tool.unknownArguments ?? settings.unknownArguments;
  const source = tool.input ?? { type: "object", properties: {} };
  const input = open("input", source, { repair: repairs, unknownKeys, root: "object" });
  const output =
    tool.output && open("output", tool.output, { repair: false, unknownKeys: "allow", root: "any", side: "output" });
  const headers = headerFault(isStandardSchema(source) ? input.json : (source as JsonObject));
  if (headers !== undefined) throw fault(headers);
  return Object.freeze({ tool, input, output, timeoutMs: tool.timeoutMs ?? settings.limits.callTimeoutMs, repairs });
}

/** All that a server offers; never changed, only replaced. */
export class Registry {
  readonly tools: readonly RegisteredTool[];
  readonly #pageSize: number;
  readonly #byName = new Map<string, RegisteredTool>();
  readonly #pages = new Map<Revision, Map<string | undefined, string>>();

  constructor(tools: readonly RegisteredTool[], pageSize: number) {
    this.tools = tools;
    this.#pageSize = pageSize;
    for (const entry of tools) {
      for (const name of [entry.tool.name, ...(entry.tool.aliases ?? [])]) {
        if (this.#byName.has(name))
          throw new TypeError(`Cannot register tool "${entry.tool.name}": the name "${name}" is taken`);
        this.#byName.set(name, entry);
      }
    }
  }

  find(name: string): RegisteredTool | undefined {
    return this.#byName.get(name);
  }

  nearestName(name: string): string | undefined {
    return nearest(name, this.#byName.keys());
  }

  with(entry: RegisteredTool): Registry {
    return new Registry([...this.tools, entry], this.#pageSize);
  }

  without(name: string): Registry {
    return new Registry(
      this.tools.filter(({ tool }) => tool.name !== name),
      this.#pageSize,
    );
  }

  /** One page of the list as result text, written once for each revision and kept. */
  page(revision: Revision, cursor: string | undefined, identity: string): string {
    const kept = this.#pages.get(revision)?.get(cursor);
    if (kept !== undefined) return kept;
    const start = cursor === undefined ? 0 : this.#positionAfter(cursor);
    const shown = this.tools.slice(start, start + this.#pageSize);
    const body: JsonObject = { tools: shown.map((entry) => revision.writeTool(describe(entry))) };
    const last = shown.at(-1);
    if (last !== undefined && start + shown.length < this.tools.length)
      body["nextCursor"] = cursorAfter(last.tool.name);
    const text = revision.writeResult({ kind: "plain", body, cache: { ttlMs: 0, scope: "private" } }, identity);
    // Only the pages that this server hands out are kept, so that made-up cursors cannot fill the memory.
    if (start % this.#pageSize === 0) {
      const pages = this.#pages.get(revision) ?? new Map<string | undefined, string>();
      this.#pages.set(revision, pages.set(cursor, text));
    }
    return text;
  }

  #positionAfter(cursor: string): number {
    const at = this.tools.findIndex(({ tool }) => cursorAfter(tool.name) === cursor);
    if (at === -1) throw invalidParams("Invalid params: the cursor is unknown or has expired; list again without one");
    return at + 1;
  }
}

const cursorAfter = (name: string): string => Buffer.from(`after:${name}`).toString("base64url");

function describe({ tool, input, output }: RegisteredTool): ToolDescription {
  const { name, title, description, annotations, icons, meta } = tool;
  return {
    name,
    ...(title !== undefined && { title }),
    description,
    inputSchema: input.json,
    ...(output !== undefined && isObject(output.json) && { outputSchema: output.json }),
    ...(annotations !== undefined && { annotations }),
    ...(icons !== undefined && { icons }),
    ...(meta !== undefined && { _meta: meta }),
  };
}
