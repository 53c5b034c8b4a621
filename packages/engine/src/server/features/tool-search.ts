import { truncate } from "../../jsonrpc/errors.js";
import { isObject, type Json, type JsonObject, type JsonRpcRequest } from "../../jsonrpc/messages.js";
import { ToolError } from "../../protocol/outcome.js";
import type { ToolAnnotations } from "../../protocol/types.js";
import { parseJsonContainer } from "../../schema/json-value.js";
import type { Catalog } from "../catalog.js";
import { type RegisteredTool, registerTool, type Tool, tool } from "../definitions/tool.js";
import type { ServerSettings } from "../options.js";
import type { ToolView } from "../registry.js";
import { listedTools } from "./tool-filter.js";

/** The part of a registered tool that is searched. */
interface SearchableTool {
  readonly tool: Pick<Tool, "name" | "title" | "description">;
  readonly toolsets: readonly string[];
}

/** The common BM25 parameters: `k1` and `b`. */
const SATURATION = 1.2;
const LENGTH_NORMALIZATION = 0.75;
const MIN_PREFIX_LENGTH = 3;

/** Splits a text into lower-case words; `readFile` and `read_file` are two words each. */
export const tokenize = (text: string): string[] =>
  text
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");

/** Creates a search that ranks tools by BM25, best first, and omits tools that match no word. */
export function createToolIndex<Entry extends SearchableTool>(
  entries: readonly Entry[],
): (query: string) => readonly Entry[] {
  const documents = entries.map((entry) => ({ entry, ...indexTool(entry) }));
  const meanLength = documents.reduce((sum, { length }) => sum + length, 0) / Math.max(1, documents.length);
  return (query) => {
    const scores = new Map<Entry, number>();
    for (const word of new Set(tokenize(query))) {
      const matches = documents
        .map((document) => ({ ...document, frequency: termFrequency(word, document.weights) }))
        .filter(({ frequency }) => frequency > 0);
      const inverseFrequency = Math.log(1 + (documents.length - matches.length + 0.5) / (matches.length + 0.5));
      for (const { entry, length, frequency } of matches) {
        const lengthFactor = 1 - LENGTH_NORMALIZATION + (LENGTH_NORMALIZATION * length) / meanLength;
        const score = (inverseFrequency * frequency * (SATURATION + 1)) / (frequency + SATURATION * lengthFactor);
        scores.set(entry, (scores.get(entry) ?? 0) + score);
      }
    }
    return [...scores].sort(([, left], [, right]) => right - left).map(([entry]) => entry);
  };
}

/** The words of a tool, with how much each counts, and how many there are. */
function indexTool({ tool: { name, title = "", description }, toolsets }: SearchableTool) {
  const weights = new Map<string, number>();
  let length = 0;
  const addWords = (text: string, weight: number): void => {
    const words = tokenize(text);
    for (const word of words) weights.set(word, (weights.get(word) ?? 0) + weight);
    length += words.length;
  };
  addWords(name, 4);
  addWords(`${title} ${toolsets.join(" ")}`, 2);
  addWords(description, 1);
  return { weights, length };
}

/** The weight of a word in a tool; a word that only shares a prefix counts half. */
function termFrequency(word: string, weights: ReadonlyMap<string, number>): number {
  const similar = [...weights].filter(([other]) => sharesPrefix(word, other)).map(([, weight]) => weight / 2);
  return weights.get(word) ?? Math.max(0, ...similar);
}

const sharesPrefix = (left: string, right: string): boolean =>
  Math.min(left.length, right.length) >= MIN_PREFIX_LENGTH && (left.startsWith(right) || right.startsWith(left));

type Tools = Catalog<RegisteredTool>;

/** The tool that calls any other. */
const CALL_TOOL = "call_tool";
const SEARCH_TOOL = "search_tools";
const DESCRIBE_TOOL = "describe_tools";

const DEFAULT_LIMIT = 10;
const MAX_LIMIT = 50;
const MAX_DESCRIBED = 10;
const MAX_LINE_LENGTH = 160;

const READ_ONLY_ANNOTATIONS = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
} as const;

/** Creates the tool that finds tools by words. */
function createSearchTool(tools: Tools): Tool {
  let search: ReturnType<typeof createToolIndex<RegisteredTool>> | undefined;
  return tool({
    name: SEARCH_TOOL,
    description: `Finds tools of this server by words; only three are listed. Next: ${DESCRIBE_TOOL}, then ${CALL_TOOL}.`,
    input: {
      type: "object",
      properties: {
        query: { type: "string", description: "What the tool should do, such as: search text in files" },
        limit: { type: "integer", minimum: 1, maximum: MAX_LIMIT, description: `${DEFAULT_LIMIT} by default` },
      },
      required: ["query"],
    },
    annotations: READ_ONLY_ANNOTATIONS,
    run({ query, limit = DEFAULT_LIMIT }) {
      search ??= createToolIndex(listedTools(tools).entries);
      const found = search(query);
      if (found.length === 0) return `None of the ${tools.entries.length} tools matches. ${suggestToolsets(tools)}`;
      const more = found.length > limit ? `\n(${found.length - limit} more; raise limit to see them)` : "";
      return found.slice(0, limit).map(summarizeTool).join("\n") + more;
    },
  });
}

/** Creates the tool that returns the full description of tools. */
function createDescribeTool(tools: Tools): Tool {
  return tool({
    name: DESCRIBE_TOOL,
    description: "Gives the full description and the input schema of tools.",
    input: {
      type: "object",
      properties: {
        names: {
          type: "array",
          items: { type: "string" },
          minItems: 1,
          maxItems: MAX_DESCRIBED,
          description: "Names of tools",
        },
      },
      required: ["names"],
    },
    annotations: READ_ONLY_ANNOTATIONS,
    run: ({ names }) => JSON.stringify(names.map((name) => describeEntry(tools, name))),
  });
}

/** Creates the tool that calls any other. It never runs: the engine replaces the request by a call of that tool. */
function createCallTool(entries: readonly RegisteredTool[]): Tool {
  return tool({
    name: CALL_TOOL,
    description: `Calls a tool by its name, with arguments that match its schema (see ${DESCRIBE_TOOL}).`,
    input: {
      type: "object",
      properties: {
        name: { type: "string", description: "The tool" },
        arguments: { type: "object", additionalProperties: true, description: "Its arguments" },
      },
      required: ["name"],
    },
    // Corrected arguments would reach this tool instead of the one to call.
    correctArguments: false,
    annotations: combineAnnotations(entries),
    ...(entries.some(({ execution }) => execution !== undefined) && { taskSupport: "optional" }),
    run() {
      throw new ToolError(`${CALL_TOOL} cannot call itself: set name to the tool to call.`, {
        code: "INVALID_ARGUMENTS",
      });
    },
  });
}

/** The hints for a call of any of these tools. What a tool does not say counts as the protocol's default. */
function combineAnnotations(entries: readonly RegisteredTool[]): ToolAnnotations {
  const all = entries.map(({ tool: { annotations = {} } }) => annotations);
  const readOnlyHint = all.length > 0 && all.every((each) => each.readOnlyHint === true);
  return {
    readOnlyHint,
    destructiveHint: !readOnlyHint && all.some((each) => each.readOnlyHint !== true && each.destructiveHint !== false),
    idempotentHint: readOnlyHint,
    openWorldHint: all.some((each) => each.openWorldHint !== false),
  };
}

function describeEntry(tools: Tools, name: string): object {
  const entry = tools.byName.get(name);
  if (entry !== undefined) {
    const { description } = entry.tool;
    return { name: entry.tool.name, description, inputSchema: entry.input.jsonSchema, execution: entry.execution };
  }
  const nearest = tools.nearestName(name);
  return { name, error: `unknown tool${nearest === undefined ? "" : `; did you mean "${nearest}"?`}` };
}

function summarizeTool({ tool: { name, description } }: RegisteredTool): string {
  const [sentence = ""] = description.split(/(?<=[.!?])\s|\n/, 1);
  return `${name}: ${truncate(sentence, MAX_LINE_LENGTH)}`;
}

function suggestToolsets({ entries }: Tools): string {
  const names = [...new Set(entries.flatMap(({ toolsets }) => toolsets))];
  return names.length === 0 ? "Try other words." : `The toolsets are: ${names.join(", ")}.`;
}

/** The tools that search, describe and call all others, which are then not listed. */
export class ToolSearch {
  readonly #settings: ServerSettings;

  constructor(settings: ServerSettings) {
    this.#settings = settings;
  }

  /** Adds the three tools and lists them in place of all others. */
  apply(tools: Tools): ToolView {
    const { entries } = tools;
    const searchTools = [createSearchTool(tools), createDescribeTool(tools), createCallTool(entries)].map(
      (definition) => registerTool(definition, this.#settings, { isBuiltIn: true }),
    );
    return {
      tools: tools.replaceEntries([...entries, ...searchTools]),
      // Results refer to other built-in tools by name, so these are listed too.
      listed: tools.replaceEntries([...searchTools, ...entries.filter(({ isBuiltIn }) => isBuiltIn)]),
    };
  }

  /** Turns a request that calls a tool through `call_tool` into a call of that tool; returns any other as it is. */
  resolveCall(request: JsonRpcRequest): JsonRpcRequest {
    const { params } = request;
    if (params?.["name"] !== CALL_TOOL) return request;
    const call = parseCallArguments(params["arguments"]);
    return call === undefined ? request : { ...request, params: { ...params, ...call } };
  }
}

/** Parses the arguments of `call_tool`; undefined if they are invalid, so that its own validation reports them. */
function parseCallArguments(input: Json | undefined): JsonObject | undefined {
  const isText = typeof input === "string";
  const parsed = isText ? parseJsonContainer(input) : input;
  if (!isObject(parsed)) return undefined;
  const { name, arguments: inner = {}, ...others } = parsed;
  if (typeof name !== "string" || name === CALL_TOOL || Object.keys(others).length > 0) return undefined;
  // The called tool decides whether it accepts arguments as a JSON string.
  if (isObject(inner)) return { name, arguments: isText ? JSON.stringify(inner) : inner };
  return typeof inner === "string" ? { name, arguments: inner } : undefined;
}
