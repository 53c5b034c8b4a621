import { isObject, type JsonObject } from "../jsonrpc/json.js";
import type { ToolDescription } from "../protocol/description.js";
import {
  createSchema,
  isStandardSchema,
  type Schema,
  type SchemaOptions,
  type SchemaSource,
} from "../schema/schema.js";
import type { Kind } from "./catalogue.js";
import { hasHeaders, headerFault } from "./header-names.js";
import { Share } from "./meters/share.js";
import type { Settings } from "./settings.js";
import { checkTool, type Tool } from "./tool.js";
import { toolMeta } from "./tool-ui.js";

/** A tool as a server holds it: with its schemas and the server's switches settled. */
export interface RegisteredTool {
  readonly tool: Tool;
  readonly input: Schema;
  readonly output: Schema | undefined;
  readonly timeoutMs: number;
  /** A result with more bytes is cut, where the server cuts results. */
  readonly budgetBytes: number;
  readonly repairs: boolean;
  /** What its calls may use, and how much of it they do. */
  readonly share: Share;
  readonly execution: ToolDescription["execution"];
  /** The toolsets that it is in: the one it names, and that of its pack. */
  readonly toolsets: readonly string[];
  /** The engine brings it itself, such as the tool that reads on in cut results. */
  readonly isOwn: boolean;
}

/** Where a tool comes from. */
export interface Origin {
  /** The name of the pack; undefined = the server was given it. */
  readonly pack?: string;
  readonly isOwn?: boolean;
  /** Its schemas are known to be right, and are read when they are used. */
  readonly isChecked?: boolean;
}

/** Settles a tool for a server. Throws `TypeError` that names the tool and the fault. */
export function registerTool(tool: Tool, settings: Settings, origin: Origin = {}): RegisteredTool {
  const { pack, isOwn = false, isChecked = false } = origin;
  if (!isChecked) checkTool(tool);
  const fault = (reason: string) => new TypeError(`Cannot register tool "${tool.name}": ${reason}`);
  const open = (member: string, schema: SchemaSource, options: SchemaOptions): Schema => {
    try {
      const opened = createSchema(schema, { ...options, isChecked });
      // A Standard Schema is converted here, so that one that cannot be shown to clients fails at start, not at the first list.
      if (isStandardSchema(schema)) void opened.json;
      return opened;
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      throw fault(error.message.replace(/^Cannot read the schema/, `cannot read the ${member} schema`));
    }
  };
  if (tool.long === "task-only" && settings.tasks === undefined)
    throw fault('long: "task-only" needs a server that is created with tasks: true');
  let repairs = (tool.repair ?? settings.repair) && tool.annotations?.destructiveHint !== true;
  const unknownKeys = tool.unknownArguments ?? settings.unknownArguments;
  const source = tool.input ?? { type: "object", properties: {} };
  const openInput = () => open("input", source, { repair: repairs, unknownKeys, root: "object" });
  let input = openInput();
  const output =
    tool.output && open("output", tool.output, { repair: false, unknownKeys: "allow", root: "any", side: "output" });
  const shown = isStandardSchema(source) ? input.json : (source as JsonObject);
  if (hasHeaders(shown)) {
    const reason = headerFault(shown);
    if (reason !== undefined) throw fault(reason);
    // Headers are compared with the arguments as they came, so the tool must get no others.
    repairs = false;
    input = openInput();
  }
  const budgetBytes = tool.budgetBytes ?? settings.results?.budgetBytes ?? Number.POSITIVE_INFINITY;
  return Object.freeze({
    tool,
    input,
    output,
    get timeoutMs() {
      return tool.timeoutMs ?? settings.limits.callTimeoutMs;
    },
    budgetBytes,
    repairs,
    share: new Share(tool),
    execution: executionOf(tool, settings),
    toolsets: [...new Set([tool.toolset, pack])].filter((name) => name !== undefined),
    isOwn,
  });
}

/** Tools as a catalogue has them: found by their aliases too. */
export const toolKind: Kind<RegisteredTool> = {
  word: "tool",
  member: "tools",
  namesOf: ({ tool }) => [tool.name, ...(tool.aliases ?? [])],
  write: (revision, entry) => revision.writeTool(describe(entry)),
};

function executionOf({ long }: Tool, { tasks }: Settings): ToolDescription["execution"] {
  if (long === undefined || tasks === undefined) return undefined;
  return { taskSupport: long === true ? "optional" : "required" };
}

function describe({ tool, input, output, execution }: RegisteredTool): ToolDescription {
  const { name, title, description, annotations, icons } = tool;
  const meta = toolMeta(tool.meta, tool.ui);
  return {
    name,
    ...(title !== undefined && { title }),
    description,
    inputSchema: input.json,
    ...(output !== undefined && isObject(output.json) && { outputSchema: output.json }),
    ...(annotations !== undefined && { annotations }),
    ...(execution !== undefined && { execution }),
    ...(icons !== undefined && { icons }),
    ...(meta !== undefined && { _meta: meta }),
  };
}
