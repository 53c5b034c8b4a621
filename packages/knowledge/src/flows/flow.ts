import { ToolError } from "@toolwright/engine";
import { nearest } from "@toolwright/kit/text";
import { FILTER_NAMES } from "../search/filters.js";

/** What a step can do. */
const STEP_ACTIONS = ["search", "answer", "resolve", "filter"] as const;
/** One of the deeds. */
export type StepAction = (typeof STEP_ACTIONS)[number];

const SEARCH_ARGUMENTS = ["query", "collection", "collections", "version", "top_k", "filters"];
/** What each of them can be told in `with`. */
const ARGUMENTS: Readonly<Record<StepAction, readonly string[]>> = {
  search: SEARCH_ARGUMENTS,
  answer: SEARCH_ARGUMENTS,
  resolve: ["chunk_ids", "format"],
  filter: ["from", "by", "equals", "contains", "min", "except", "unique", "limit"],
};

/**
 * One step of a flow. In `with`, "{{name}}" stands for a parameter, "{{step.results}}" for what a step before has given, and
 * "{{step.results.*.title}}" for the title of each of them.
 */
export interface Step {
  readonly id: string;
  readonly do: StepAction;
  readonly with: Readonly<Record<string, unknown>>;
}

/** Steps that are done one after the other, under a name. */
export interface Flow {
  readonly id: string;
  readonly description?: string | undefined;
  /** Parameters that need not be given. */
  readonly defaults?: Readonly<Record<string, unknown>> | undefined;
  readonly steps: readonly Step[];
  /** What the flow gives, by names; by default what its last step does. */
  readonly give?: Readonly<Record<string, unknown>> | undefined;
}

/** The flows that are always there. */
export const BUILT_IN: readonly Flow[] = [
  {
    id: "search-and-cite",
    description: "Finds passages and cites them. Parameters: query, collection, top_k, format.",
    defaults: { top_k: 5, format: "json" },
    steps: [
      { id: "found", do: "search", with: { query: "{{query}}", collection: "{{collection}}", top_k: "{{top_k}}" } },
      { id: "cited", do: "resolve", with: { chunk_ids: "{{found.results.*.chunk_id}}", format: "{{format}}" } },
    ],
    give: { results: "{{found.results}}", citations: "{{cited.citations}}" },
  },
  {
    id: "compare-versions",
    description: "What two versions find for a question. Parameters: query, collection, from, to, top_k.",
    defaults: { top_k: 10 },
    steps: [
      {
        id: "before",
        do: "search",
        with: { query: "{{query}}", collection: "{{collection}}", version: "{{from}}", top_k: "{{top_k}}" },
      },
      {
        id: "after",
        do: "search",
        with: { query: "{{query}}", collection: "{{collection}}", version: "{{to}}", top_k: "{{top_k}}" },
      },
      { id: "gone", do: "filter", with: { from: "{{before.results}}", except: "{{after.results}}", by: "chunk_id" } },
      { id: "new", do: "filter", with: { from: "{{after.results}}", except: "{{before.results}}", by: "chunk_id" } },
    ],
    give: { gone: "{{gone.results}}", new: "{{new.results}}" },
  },
  {
    id: "brief",
    description: "Answers and cites the sources. Parameters: query, collection, format.",
    defaults: { format: "apa" },
    steps: [
      { id: "said", do: "answer", with: { query: "{{query}}", collection: "{{collection}}" } },
      { id: "cited", do: "resolve", with: { chunk_ids: "{{said.citations.*.chunk_id}}", format: "{{format}}" } },
    ],
    give: { answer: "{{said}}", sources: "{{cited.citations.*.text}}" },
  },
];

/** A place in a template: "name.part.*.part". */
const PLACEHOLDER = /\{\{\s*([A-Za-z0-9_.*-]{1,200})\s*\}\}/g;
const ONLY_PLACEHOLDER = /^\{\{\s*([A-Za-z0-9_.*-]{1,200})\s*\}\}$/;
const MAX_DEPTH = 8;

/** The first names of all places in a value: parameters and steps. */
function placeholderNames(value: unknown, depth = 0): readonly string[] {
  if (typeof value === "string")
    return [...value.matchAll(PLACEHOLDER)].map(([, path = ""]) => path.split(".")[0] ?? "");
  if (typeof value !== "object" || value === null || depth > MAX_DEPTH) return [];
  return Object.values(value).flatMap((each) => placeholderNames(each, depth + 1));
}

/** Puts values in the places of a template: a text that is nothing but a place becomes the value itself. */
export function fill(value: unknown, known: Readonly<Record<string, unknown>>, depth = 0): unknown {
  if (typeof value === "string") {
    const [, whole] = ONLY_PLACEHOLDER.exec(value) ?? [];
    if (whole !== undefined) return getPath(known, whole.split("."));
    return value.replaceAll(PLACEHOLDER, (_, path: string) => toText(getPath(known, path.split("."))));
  }
  if (typeof value !== "object" || value === null || depth > MAX_DEPTH) return value;
  if (Array.isArray(value)) return value.map((each) => fill(each, known, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, fill(each, known, depth + 1)]));
}

/** Follows a path; "*" means each of a list, and so does a name that a list does not have. */
export function getPath(value: unknown, [name, ...rest]: readonly string[]): unknown {
  if (name === undefined) return value;
  if (name === "*") return Array.isArray(value) ? value.map((each) => getPath(each, rest)) : [];
  if (typeof value !== "object" || value === null) return undefined;
  if (!Object.hasOwn(value, name))
    return Array.isArray(value) ? value.map((each) => getPath(each, [name, ...rest])) : undefined;
  return getPath((value as Readonly<Record<string, unknown>>)[name], rest);
}

const toText = (value: unknown): string =>
  value === undefined || value === null ? "" : typeof value === "string" ? value : JSON.stringify(value);

const NAME = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;
const MAX_STEPS = 20;
const MAX_CHARACTERS = 50_000;

const FLOW_KEYS = ["id", "description", "defaults", "steps", "give"];
const STEP_KEYS = ["id", "do", "with"];

/** What a flow can be told. */
export interface Parameters {
  readonly all: readonly string[];
  /** Those that have no default. */
  readonly needed: readonly string[];
}

/** Finds out what a flow can be told: the names in it that are no steps, and those that have a default. Throws if it cannot work. */
export function checkFlow(flow: Flow): Parameters {
  const refuse = (reason: string): never => {
    throw new ToolError(`Cannot use flow ${JSON.stringify(flow.id)?.slice(0, 66)}: ${reason}`, {
      code: "INVALID_ARGUMENT",
    });
  };
  if (!isName(flow.id)) refuse('its id has to be letters, digits, "_" and "-", with a letter first.');
  if (!Array.isArray(flow.steps) || flow.steps.length === 0) refuse("it has no steps.");
  if (!flow.steps.every((step: unknown) => typeof step === "object" && step !== null)) refuse("a step of it is none.");
  if (flow.steps.length > MAX_STEPS) refuse(`it has ${flow.steps.length} steps; ${MAX_STEPS} are the most.`);
  if (JSON.stringify(flow).length > MAX_CHARACTERS) refuse(`it has more than ${MAX_CHARACTERS} characters.`);
  const refuseOthers = (given: object, known: readonly string[], what: string): void => {
    const other = Object.keys(given).find((name) => !known.includes(name));
    if (other !== undefined)
      refuse(`${what} takes no ${JSON.stringify(other.slice(0, 66))}. ${suggestName(other, known)}`);
  };
  refuseOthers(flow, FLOW_KEYS, "a flow");
  const done = new Set<string>();
  const all = new Set(flow.steps.map(({ id }) => id));
  const parameters = new Set<string>();
  const take = (names: readonly string[], where: string): void => {
    for (const name of names) {
      if (done.has(name)) continue;
      if (all.has(name)) refuse(`${where} needs what step "${name}" gives, which comes later.`);
      parameters.add(name);
    }
  };
  for (const step of flow.steps) {
    const { id, do: action, with: args } = step;
    if (!isName(id)) refuse(`${JSON.stringify(id)} cannot be the id of a step.`);
    if (done.has(id)) refuse(`two steps are called "${id}".`);
    if (!STEP_ACTIONS.includes(action))
      refuse(`step "${id}" does ${JSON.stringify(action)}; it can do ${STEP_ACTIONS.join(", ")}.`);
    if (typeof args !== "object" || args === null) refuse(`step "${id}" has no "with".`);
    refuseOthers(step, STEP_KEYS, `step "${id}"`);
    refuseOthers(args, ARGUMENTS[action], `"with" of step "${id}" (${action})`);
    take(placeholderNames(args), `step "${id}"`);
    done.add(id);
  }
  take(placeholderNames(flow.give ?? {}), "what it gives");
  const defaults = flow.defaults ?? {};
  const needed = [...parameters].filter((name) => !Object.hasOwn(defaults, name));
  return { all: [...needed, ...Object.keys(defaults)], needed };
}

/** What a name that is not known may have been meant as. */
export function suggestName(name: string, known: readonly string[]): string {
  if (known.includes("filters") && FILTER_NAMES.includes(name)) return 'It is one of "filters".';
  const near = nearest(name, known);
  if (near !== undefined) return `Did you mean "${near}"?`;
  return known.length === 0 ? "It takes none." : `It takes ${known.join(", ")}.`;
}

/** What a model has written may be anything. */
const isName = (value: unknown): boolean => typeof value === "string" && NAME.test(value);
