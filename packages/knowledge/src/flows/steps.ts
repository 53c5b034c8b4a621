import { ToolError } from "@toolwright/engine";
import { answer } from "../answers/answer.js";
import { FORMATS, type Format, resolveCitations } from "../citations/resolve-citations.js";
import type { Base, Caller } from "../knowledge-context.js";
import { checkFilters } from "../search/filters.js";
import { search, type WantedCollection } from "../search/search.js";
import { type Deed, look, type Step } from "./flow.js";

type Wish = Readonly<Record<string, unknown>>;

const MOST_RESULTS = 100;
const MOST_CHUNKS = 1000;

/** Does what a step says, with all its places filled in. */
export async function doStep(base: Base, call: Caller, { id, do: deed }: Step, wish: Wish): Promise<unknown> {
  try {
    return await DOERS[deed](base, call, wish);
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    throw new ToolError(`Step "${id}" failed: ${error.message}`, {
      ...(error.code !== undefined && { code: error.code }),
      details: { ...error.details, step: id },
    });
  }
}

const DOERS: Readonly<Record<Deed, (base: Base, call: Caller, wish: Wish) => unknown>> = {
  search: (base, { signal }, wish) =>
    search(base, {
      query: textIn(wish, "query"),
      collections: collectionsIn(wish),
      top_k: numberIn(wish, "top_k", 10, MOST_RESULTS),
      filters: checkFilters(wish["filters"]),
      signal,
    }),
  answer: (base, { signal }, wish) =>
    answer(base, {
      query: textIn(wish, "query"),
      collections: collectionsIn(wish),
      top_k: numberIn(wish, "top_k", 8, MOST_RESULTS),
      filters: checkFilters(wish["filters"]),
      signal,
    }),
  async resolve(base, call, wish) {
    const ids = listIn(wish, "chunk_ids").map(chunkIdOf).slice(0, MOST_CHUNKS);
    const format = FORMATS.find((each) => each === (wish["format"] ?? "json"));
    if (format === undefined) throw wrong(`"format" has to be one of ${FORMATS.join(", ")}`);
    return ids.length === 0
      ? { citations: [], missing: [] }
      : resolveCitations(base, call, { chunk_ids: ids, format: format satisfies Format });
  },
  filter(_base, _call, wish) {
    const path = textIn(wish, "by").split(".");
    const least = optionIn(wish, "min", "number", "a number");
    const part = optionIn(wish, "contains", "string", "a text");
    const isUnique = optionIn(wish, "unique", "boolean", "true or false") === true;
    const { equals } = wish;
    const except = new Set(wish["except"] === undefined ? [] : listIn(wish, "except").map((item) => look(item, path)));
    const seen = new Set<unknown>();
    const results = listIn(wish, "from").filter((item) => {
      const value = look(item, path);
      if (except.has(value) || (isUnique && seen.has(value))) return false;
      seen.add(value);
      if (equals !== undefined && value !== equals) return false;
      if (least !== undefined && !(typeof value === "number" && value >= least)) return false;
      return part === undefined || (typeof value === "string" && value.toLowerCase().includes(part.toLowerCase()));
    });
    return { results: results.slice(0, numberIn(wish, "limit", MOST_RESULTS, MOST_CHUNKS)) };
  },
};

function collectionsIn(wish: Wish): readonly WantedCollection[] {
  const version = wish["version"];
  if (version !== undefined && !Number.isInteger(version)) throw wrong('"version" has to be a whole number');
  const named = wish["collections"] ?? [wish["collection"]];
  const names = Array.isArray(named) ? named : [];
  if (names.length === 0 || !names.every((name) => typeof name === "string"))
    throw wrong('"collection" has to be the name of a collection');
  return names.map((name: string) => ({ name, version: version as number | undefined }));
}

function textIn(wish: Wish, name: string): string {
  const value = wish[name];
  if (typeof value === "string" && value.trim() !== "") return value;
  throw wrong(`"${name}" has to be a text`);
}

function listIn(wish: Wish, name: string): readonly unknown[] {
  const value = wish[name];
  if (Array.isArray(value)) return value;
  throw wrong(`"${name}" has to be a list`);
}

interface Types {
  readonly number: number;
  readonly string: string;
  readonly boolean: boolean;
}

/** What may be left out, and has to be of a type where it is not. */
function optionIn<Type extends keyof Types>(
  wish: Wish,
  name: string,
  type: Type,
  words: string,
): Types[Type] | undefined {
  const value = wish[name];
  if (value === undefined || typeof value === type) return value as Types[Type] | undefined;
  throw wrong(`"${name}" has to be ${words}`);
}

/** The id of a passage, which may be given itself. */
function chunkIdOf(given: unknown): string {
  const id = typeof given === "string" ? given : look(given, ["chunk_id"]);
  if (typeof id === "string") return id;
  throw wrong('"chunk_ids" has to be a list of ids, or of what has a "chunk_id", such as {{found.results}}');
}

function numberIn(wish: Wish, name: string, otherwise: number, most: number): number {
  const value = wish[name] ?? otherwise;
  if (typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= most) return value;
  throw wrong(`"${name}" has to be a whole number from 1 to ${most}`);
}

const wrong = (reason: string): ToolError => new ToolError(`${reason}.`, { code: "INVALID_ARGUMENT" });
