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

/** Runs a step whose placeholders are already filled. */
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
    if (format === undefined) throw invalidArgument(`"format" must be one of ${FORMATS.join(", ")}`);
    return ids.length === 0
      ? { citations: [], missing: [] }
      : resolveCitations(context, call, { chunk_ids: ids, format: format satisfies Format });
  },
  filter(_context, _call, args) {
    const path = stringArgument(args, "by").split(".");
    const min = optionalArgument(args, "min", "number", "a number");
    const part = optionalArgument(args, "contains", "string", "a string");
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
      if (min !== undefined && !(typeof value === "number" && value >= min)) return false;
      return part === undefined || (typeof value === "string" && value.toLowerCase().includes(part.toLowerCase()));
    });
    return { results: results.slice(0, numberArgument(args, "limit", MAX_RESULTS, MAX_CHUNKS)) };
  },
};

function collectionsArgument(args: StepArguments): readonly WantedCollection[] {
  const version = args["version"];
  if (version !== undefined && !Number.isInteger(version)) throw invalidArgument('"version" must be an integer');
  const named = args["collections"] ?? [args["collection"]];
  const names = Array.isArray(named) ? named : [];
  if (names.length === 0 || !names.every((name) => typeof name === "string"))
    throw invalidArgument('"collection" must be the name of a collection');
  return names.map((name: string) => ({ name, version: version as number | undefined }));
}

function stringArgument(args: StepArguments, name: string): string {
  const value = args[name];
  if (typeof value === "string" && value.trim() !== "") return value;
  throw invalidArgument(`"${name}" must be a non-empty string`);
}

function listArgument(args: StepArguments, name: string): readonly unknown[] {
  const value = args[name];
  if (Array.isArray(value)) return value;
  throw invalidArgument(`"${name}" must be a list`);
}

interface Types {
  readonly number: number;
  readonly string: string;
  readonly boolean: boolean;
}

/** Returns an optional argument. Throws if it has the wrong type. */
function optionalArgument<Type extends keyof Types>(
  args: StepArguments,
  name: string,
  type: Type,
  description: string,
): Types[Type] | undefined {
  const value = args[name];
  if (value === undefined || typeof value === type) return value as Types[Type] | undefined;
  throw invalidArgument(`"${name}" must be ${description}`);
}

/** Returns the ID of a passage. The item can be the ID itself, or an object with a `chunk_id`. */
function chunkIdOf(item: unknown): string {
  const id = typeof item === "string" ? item : getPath(item, ["chunk_id"]);
  if (typeof id === "string") return id;
  throw invalidArgument(
    '"chunk_ids" must be a list of IDs, or of objects with a "chunk_id", such as {{found.results}}',
  );
}

function numberArgument(args: StepArguments, name: string, defaultValue: number, limit: number): number {
  const value = args[name] ?? defaultValue;
  if (typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= limit) return value;
  throw invalidArgument(`"${name}" must be an integer from 1 to ${limit}`);
}

const invalidArgument = (reason: string): ToolError => new ToolError(`${reason}.`, { code: "INVALID_ARGUMENT" });
