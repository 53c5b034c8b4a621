import { ToolError } from "../../protocol/outcome.js";
import type { Catalogue } from "../catalogue.js";
import type { RegisteredTool } from "../register-tool.js";
import { type Tool, tool } from "../tool.js";
import { createRanking } from "./ranking.js";

type Tools = Catalogue<RegisteredTool>;

/** The name under which any tool is called. */
export const CALL_TOOL = "call_tool";
const SEARCH_TOOL = "search_tools";
const DESCRIBE_TOOL = "describe_tools";

const USUAL_HITS = 10;
const MOST_HITS = 50;
const MOST_DESCRIBED = 10;
const LONGEST_LINE = 160;

const HARMLESS = { readOnlyHint: true, openWorldHint: false } as const;

/** Finds tools by words. */
export function createSearchTool(tools: Tools): Tool {
  let rank: ReturnType<typeof createRanking<RegisteredTool>> | undefined;
  return tool({
    name: SEARCH_TOOL,
    description: `Finds tools of this server by words; only these three are listed. Next: ${DESCRIBE_TOOL}, then ${CALL_TOOL}.`,
    input: {
      type: "object",
      properties: {
        query: { type: "string", description: "What the tool should do, such as: search text in files" },
        limit: { type: "integer", minimum: 1, maximum: MOST_HITS, description: `${USUAL_HITS} by default` },
      },
      required: ["query"],
    },
    annotations: HARMLESS,
    run({ query, limit = USUAL_HITS }) {
      rank ??= createRanking(tools.entries);
      const found = rank(query);
      if (found.length === 0)
        return `None of the ${tools.entries.length} tools has these words. ${wordToolsets(tools)}`;
      const more = found.length > limit ? `\n(${found.length - limit} more; a higher limit shows them)` : "";
      return found.slice(0, limit).map(lineOf).join("\n") + more;
    },
  });
}

/** Describes tools in full. */
export function createDescribeTool(tools: Tools): Tool {
  return tool({
    name: DESCRIBE_TOOL,
    description: "Gives the full description and the input schema of tools.",
    input: {
      type: "object",
      properties: { names: { type: "array", items: { type: "string" }, minItems: 1, maxItems: MOST_DESCRIBED } },
      required: ["names"],
    },
    annotations: HARMLESS,
    run: ({ names }) => JSON.stringify(names.map((name) => describe(tools, name))),
  });
}

/** Calls any tool: the engine serves it as the call that it stands for, so that this one never runs. */
export function createCallTool(entries: readonly RegisteredTool[]): Tool {
  const isHarmless =
    entries.length > 0 && entries.every(({ tool: { annotations } }) => annotations?.readOnlyHint === true);
  return tool({
    name: CALL_TOOL,
    description: `Calls a tool by its name, with arguments that match its schema (see ${DESCRIBE_TOOL}).`,
    input: {
      type: "object",
      properties: { name: { type: "string" }, arguments: { type: "object", additionalProperties: true } },
      required: ["name"],
    },
    // Mended arguments would come to it, and no longer to the tool that was meant.
    repair: false,
    ...(isHarmless && { annotations: { readOnlyHint: true } }),
    ...(entries.some(({ execution }) => execution !== undefined) && { long: true }),
    run() {
      throw new ToolError(`${CALL_TOOL} cannot call itself: name the tool that is to be called.`, {
        code: "INVALID_ARGUMENTS",
      });
    },
  });
}

function describe(tools: Tools, name: string): object {
  const entry = tools.find(name);
  if (entry !== undefined) {
    const { tool: found, input, execution } = entry;
    return { name: found.name, description: found.description, inputSchema: input.json, execution };
  }
  const nearest = tools.nearestName(name);
  return { name, fault: `unknown tool${nearest === undefined ? "" : `; did you mean "${nearest}"?`}` };
}

function lineOf({ tool: { name, description } }: RegisteredTool): string {
  const [sentence = ""] = description.split(/(?<=[.!?])\s|\n/, 1);
  return `${name}: ${sentence.length <= LONGEST_LINE ? sentence : `${sentence.slice(0, LONGEST_LINE - 1)}…`}`;
}

function wordToolsets({ entries }: Tools): string {
  const names = [...new Set(entries.flatMap(({ toolsets }) => toolsets))];
  return names.length === 0 ? "Try other words." : `They are about: ${names.join(", ")}.`;
}
