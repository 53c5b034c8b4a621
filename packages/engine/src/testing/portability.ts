import type { JsonObject } from "../jsonrpc/json.js";
import { SCHEMA_RULES, type Vendor } from "../schema/portable/rules.js";

/** A tool as it is listed, as far as vendors look at it. */
export interface ListedTool {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema: JsonObject;
}

/** What a vendor has against a tool. */
export interface PortabilityVerdict {
  readonly tool: string;
  readonly vendor: string;
  /** The end of a sentence that begins with the tool. */
  readonly fault: string;
  readonly advice: string;
  /** The engine mends it by itself when a client of this vendor lists the tools. */
  readonly mended: boolean;
}

/** What vendors look at beside the schema. */
interface WordRule {
  readonly vendors: readonly Vendor[];
  readonly find: (tool: ListedTool) => string | undefined;
  readonly advice: string;
}

/** Clients put `mcp__server__` or the like before a name; so much of the 64 characters should be left for it. */
const PREFIX = 16;
const NAME_LIMIT = 64;

const WORD_RULES: readonly WordRule[] = [
  {
    vendors: ["Anthropic", "OpenAI"],
    find: ({ name }) =>
      /^[a-zA-Z0-9_-]*$/.test(name) ? undefined : "has a name with other characters than A-Z a-z 0-9 _ -",
    advice: "Name it with these characters alone; clients replace the others, or refuse the tool.",
  },
  {
    vendors: ["Google"],
    find: ({ name }) =>
      /^[a-zA-Z_][a-zA-Z0-9_.:-]*$/.test(name) ? undefined : "has a name that does not begin with a letter",
    advice: "Begin it with a letter, and go on with A-Z a-z 0-9 _ - .",
  },
  {
    vendors: ["Anthropic", "OpenAI", "Google"],
    find({ name }) {
      if (name.length > NAME_LIMIT) return `has a name of ${name.length} characters; ${NAME_LIMIT} are allowed`;
      if (name.length + PREFIX <= NAME_LIMIT) return undefined;
      return `has a name of ${name.length} characters, which may pass ${NAME_LIMIT} with the prefix that clients put before it`;
    },
    advice: `Name it with at most ${NAME_LIMIT - PREFIX} characters.`,
  },
  {
    vendors: ["OpenAI"],
    find: ({ description = "" }) =>
      description.length > 1024 ? `has a description of ${description.length} characters; 1024 are allowed` : undefined,
    advice: "Say in the description what the tool is for, and the rest in the descriptions of its properties.",
  },
  {
    vendors: ["Anthropic"],
    find: ({ description = "" }) =>
      description.length > 2048
        ? `has a description of ${description.length} characters; Claude Code cuts it at 2048`
        : undefined,
    advice: "Say first what a model must know.",
  },
];

/** Says which vendors would refuse or change which tools, why, and what to do about it. */
export function portability(tools: readonly ListedTool[]): readonly PortabilityVerdict[] {
  return tools.flatMap((tool) => [...wordVerdicts(tool), ...schemaVerdicts(tool)]);
}

function wordVerdicts(tool: ListedTool): PortabilityVerdict[] {
  return WORD_RULES.flatMap(({ vendors, find, advice }) => {
    const fault = find(tool);
    if (fault === undefined) return [];
    return vendors.map((vendor) => ({ tool: tool.name, vendor, fault, advice, mended: false }));
  });
}

function schemaVerdicts({ name, inputSchema }: ListedTool): PortabilityVerdict[] {
  return SCHEMA_RULES.flatMap(({ vendors, find, advice, mend }) => {
    const fault = find(inputSchema);
    if (fault === undefined) return [];
    const mended = mend?.(inputSchema) !== undefined;
    return vendors.map((vendor) => ({ tool: name, vendor, fault, advice, mended }));
  });
}
