import type { JsonObject } from "../jsonrpc/messages.js";
import { VENDOR_RULES, type VendorRule } from "../schema/portable/vendor-profiles.js";

/** The parts of a listed tool that vendors restrict. */
export interface CheckedTool {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema: JsonObject;
}

/** Why a vendor rejects or changes a tool. */
export interface PortabilityIssue {
  readonly tool: string;
  readonly vendor: string;
  /** Completes a sentence that begins with the tool: "has a name of 70 characters …". */
  readonly problem: string;
  readonly advice: string;
  /** Whether the server corrects it when a client of this vendor lists the tools. */
  readonly corrected: boolean;
}

/** A rule of vendors for the name or description of a tool. */
interface MetadataRule extends Pick<VendorRule, "vendors" | "advice"> {
  readonly find: (tool: CheckedTool) => string | undefined;
}

/** The characters to leave for a prefix such as `mcp__server__`, which clients put before a name. */
const PREFIX_ALLOWANCE = 16;
const NAME_LIMIT = 64;

const METADATA_RULES: readonly MetadataRule[] = [
  {
    vendors: ["Anthropic", "OpenAI"],
    find: ({ name }) =>
      /^[a-zA-Z0-9_-]*$/.test(name) ? undefined : "has a name with characters other than A-Z a-z 0-9 _ -",
    advice: "Use only these characters; clients replace the others or reject the tool.",
  },
  {
    vendors: ["Google"],
    find: ({ name }) =>
      /^[a-zA-Z_][a-zA-Z0-9_.:-]*$/.test(name) ? undefined : "has a name that does not begin with a letter",
    advice: "Start it with a letter, and use only A-Z a-z 0-9 _ - .",
  },
  {
    vendors: ["Anthropic", "OpenAI", "Google"],
    find({ name }) {
      if (name.length > NAME_LIMIT) return `has a name of ${name.length} characters; ${NAME_LIMIT} are allowed`;
      if (name.length + PREFIX_ALLOWANCE <= NAME_LIMIT) return undefined;
      return `has a name of ${name.length} characters, which may exceed ${NAME_LIMIT} with the prefix that clients put before it`;
    },
    advice: `Use at most ${NAME_LIMIT - PREFIX_ALLOWANCE} characters.`,
  },
  {
    vendors: ["OpenAI"],
    find: ({ description = "" }) =>
      description.length > 1024 ? `has a description of ${description.length} characters; 1024 are allowed` : undefined,
    advice: "Describe only what the tool is for, and move the rest to the descriptions of its properties.",
  },
  {
    vendors: ["Anthropic"],
    find: ({ description = "" }) =>
      description.length > 2048
        ? `has a description of ${description.length} characters; Claude Code truncates it at 2048`
        : undefined,
    advice: "Put what a model must know first.",
  },
];

/**
 * Returns which vendors would reject or change which tools, why, and what to do about it.
 *
 * @example
 * for (const { tool, vendor, problem } of checkPortability(await client.listTools())) console.log(vendor, tool, problem);
 */
export function checkPortability(tools: readonly CheckedTool[]): readonly PortabilityIssue[] {
  return tools.flatMap((tool) => [
    ...METADATA_RULES.flatMap((rule) => toIssues(tool, rule, rule.find(tool))),
    ...VENDOR_RULES.flatMap((rule) => toIssues(tool, rule, rule.find(tool.inputSchema))),
  ]);
}

function toIssues(
  { name: tool, inputSchema }: CheckedTool,
  { vendors, advice, fix }: Pick<VendorRule, "vendors" | "advice" | "fix">,
  problem: string | undefined,
): PortabilityIssue[] {
  if (problem === undefined) return [];
  const corrected = fix?.(inputSchema) !== undefined;
  return vendors.map((vendor) => ({ tool, vendor, problem, advice, corrected }));
}
