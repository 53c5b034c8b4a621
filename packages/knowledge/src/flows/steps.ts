import { ToolError } from "@toolwright/engine";
import { answer } from "../answers/answer.js";
import { FORMATS, type Format } from "../citations/cited.js";
import { resolveCitations } from "../citations/resolve-citations.js";
import type { FileCaller, KnowledgeContext } from "../knowledge-context.js";
import { parseFilters } from "../search/filters.js";
import { search } from "../search/search.js";
import type { WantedCollection } from "../search/search-types.js";
import { getPath, type Step, type StepAction } from "./flow.js";

type StepArguments = Readonly<Record<string, unknown>>;

const MAX_RESULTS = 100;
const MAX_CHUNKS = 1000;

/** Does what a step says, with all its places filled in. */
export async function runStep(
  context: KnowledgeContext,
  call: FileCaller,
  { id, do: action }: Step,
  args: StepArguments,
): Promise<unknown> {
  try {
    return await STEP_RUNNERS[action](context, call, args);
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    throw new ToolError(`Step "${id}" failed: ${error.message}`, {
      ...(error.code !== undefined && { code: error.code }),
      details: { ...error.details, step: id },
    });
  }
}

const STEP_RUNNERS: Readonly<
  Record<StepAction, (context: KnowledgeContext, call: FileCaller, args: StepArguments) => unknown>
> = {
  search: (context, { signal }, args) =>
    search(context, {
      query: stringArgument(args, "query"),
      collections: collectionsArgument(args),
      top_k: numberArgument(args, "top_k", 10, MAX_RESULTS),
      filters: parseFilters(args["filters"]),
      signal,
    }),
  answer: (context, { signal }, args) =>
    answer(context, {
      query: stringArgument(args, "query"),
      collections: collectionsArgument(args),
      top_k: numberArgument(args, "top_k", 8, MAX_RESULTS),
      filters: parseFilters(args["filters"]),
      signal,
    }),
  async resolve(context, call, args) {
    const ids = listArgument(args, "chunk_ids").map(chunkIdOf).slice(0, MAX_CHUNKS);
    const format = FORMATS.find((each) => each === (args["format"] ?? "json"));
    if (format === undefined) throw invalidArgument(`"format" has to be one of ${FORMATS.join(", ")}`);
    return ids.length === 0
      ? { citations: [], missing: [] }
      : resolveCitations(context, call, { chunk_ids: ids, format: format satisfies Format });
  },
  filter(_base, _call, args) {
    const path = stringArgument(args, "by").split(".");
    const least = optionalArgument(args, "min", "number", "a number");
    const part = optionalArgument(args, "contains", "string", "a text");
    const isUnique = optionalArgument(args, "unique", "boolean", "true or false") === true;
    const { equals } = args;
    const except = new Set(
      args["except"] === undefined ? [] : listArgument(args, "except").map((item) => getPath(item, path)),
    );
    const seen = new Set<unknown>();
    const results = listArgument(args, "from").filter((item) => {
      const value = getPath(item, path);
      if (except.has(value) || (isUnique && seen.has(value))) return false;
      seen.add(value);
      if (equals !== undefined && value !== equals) return false;
      if (least !== undefined && !(typeof value === "number" && value >= least)) return false;
      return part === undefined || (typeof value === "string" && value.toLowerCase().includes(part.toLowerCase()));
    });
    return { results: results.slice(0, numberArgument(args, "limit", MAX_RESULTS, MAX_CHUNKS)) };
  },
};

function collectionsArgument(args: StepArguments): readonly WantedCollection[] {
  const version = args["version"];
  if (version !== undefined && !Number.isInteger(version)) throw invalidArgument('"version" has to be a whole number');
  const named = args["collections"] ?? [args["collection"]];
  const names = Array.isArray(named) ? named : [];
  if (names.length === 0 || !names.every((name) => typeof name === "string"))
    throw invalidArgument('"collection" has to be the name of a collection');
  return names.map((name: string) => ({ name, version: version as number | undefined }));
}

function stringArgument(args: StepArguments, name: string): string {
  const value = args[name];
  if (typeof value === "string" && value.trim() !== "") return value;
  throw invalidArgument(`"${name}" has to be a text`);
}

function listArgument(args: StepArguments, name: string): readonly unknown[] {
  const value = args[name];
  if (Array.isArray(value)) return value;
  throw invalidArgument(`"${name}" has to be a list`);
}

interface Types {
  readonly number: number;
  readonly string: string;
  readonly boolean: boolean;
}

/** What may be left out, and has to be of a type where it is not. */
function optionalArgument<Type extends keyof Types>(
  args: StepArguments,
  name: string,
  type: Type,
  words: string,
): Types[Type] | undefined {
  const value = args[name];
  if (value === undefined || typeof value === type) return value as Types[Type] | undefined;
  throw invalidArgument(`"${name}" has to be ${words}`);
}

/** The id of a passage, which may be given itself. */
function chunkIdOf(given: unknown): string {
  const id = typeof given === "string" ? given : getPath(given, ["chunk_id"]);
  if (typeof id === "string") return id;
  throw invalidArgument('"chunk_ids" has to be a list of ids, or of what has a "chunk_id", such as {{found.results}}');
}

function numberArgument(args: StepArguments, name: string, otherwise: number, limit: number): number {
  const value = args[name] ?? otherwise;
  if (typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= limit) return value;
  throw invalidArgument(`"${name}" has to be a whole number from 1 to ${limit}`);
}

const invalidArgument = (reason: string): ToolError => new ToolError(`${reason}.`, { code: "INVALID_ARGUMENT" });
