import { ToolError } from "@toolwright/engine";
import { nearest } from "@toolwright/kit/text";
import { FILTER_NAMES } from "../search/filters.js";

/** The actions of steps. */
const STEP_ACTIONS = ["search", "answer", "resolve", "filter"] as const;
/** The action of a step. */
export type StepAction = (typeof STEP_ACTIONS)[number];

const SEARCH_ARGUMENTS = ["query", "collection", "collections", "version", "top_k", "filters"];
/** The arguments of each action in `with`. */
const ARGUMENTS: Readonly<Record<StepAction, readonly string[]>> = {
  search: SEARCH_ARGUMENTS,
  answer: SEARCH_ARGUMENTS,
  resolve: ["chunk_ids", "format"],
  filter: ["from", "by", "equals", "contains", "min", "except", "unique", "limit"],
};

/**
 * A step of a flow. In `with`, "{{name}}" is replaced by a parameter, "{{step.results}}" by the results of an earlier step, and
 * "{{step.results.*.title}}" by the list of their titles.
 */
export interface Step {
  readonly id: string;
  readonly do: StepAction;
  readonly with: Readonly<Record<string, unknown>>;
}

/** A named sequence of steps. */
export interface Flow {
  readonly id: string;
  readonly description?: string | undefined;
  /** The values of optional parameters. */
  readonly defaults?: Readonly<Record<string, unknown>> | undefined;
  readonly steps: readonly Step[];
  /** The result of the flow. The default is the result of the last step. */
  readonly give?: Readonly<Record<string, unknown>> | undefined;
}

/** The built-in flows. */
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
    description: "Compares what two versions find for a query. Parameters: query, collection, from, to, top_k.",
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

/** A placeholder in a template: "name.part.*.part". */
const PLACEHOLDER = /\{\{\s*([A-Za-z0-9_.*-]{1,200})\s*\}\}/g;
const ONLY_PLACEHOLDER = /^\{\{\s*([A-Za-z0-9_.*-]{1,200})\s*\}\}$/;
const MAX_DEPTH = 8;

/** Returns the first names of all placeholders in a value: parameters and steps. */
function placeholderNames(value: unknown, depth = 0): readonly string[] {
  if (typeof value === "string")
    return [...value.matchAll(PLACEHOLDER)].map(([, path = ""]) => path.split(".")[0] ?? "");
  if (typeof value !== "object" || value === null || depth > MAX_DEPTH) return [];
  return Object.values(value).flatMap((each) => placeholderNames(each, depth + 1));
}

/** Fills the placeholders of a template. A string that is only a placeholder becomes the value itself. */
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

/** Follows a path. "*" stands for each item of a list, and so does any name that the list does not have. */
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

/** The parameters of a flow. */
export interface Parameters {
  readonly all: readonly string[];
  /** The parameters without a default. */
  readonly needed: readonly string[];
}

/** Validates a flow. Returns its parameters: the placeholders that are not steps, and the names of its defaults. */
export function checkFlow(flow: Flow): Parameters {
  const reject = (reason: string): never => {
    throw new ToolError(`Cannot use flow ${JSON.stringify(flow.id)?.slice(0, 66)}: ${reason}`, {
      code: "INVALID_ARGUMENT",
    });
  };
  if (!isName(flow.id)) reject('its ID must be letters, digits, "_" and "-", starting with a letter.');
  if (!Array.isArray(flow.steps) || flow.steps.length === 0) reject("it has no steps.");
  if (!flow.steps.every((step: unknown) => typeof step === "object" && step !== null))
    reject("a step is not an object.");
  if (flow.steps.length > MAX_STEPS) reject(`it has ${flow.steps.length} steps; the maximum is ${MAX_STEPS}.`);
  if (JSON.stringify(flow).length > MAX_CHARACTERS) reject(`it has more than ${MAX_CHARACTERS} characters.`);
  const rejectUnknown = (value: object, known: readonly string[], what: string): void => {
    const other = Object.keys(value).find((name) => !known.includes(name));
    if (other !== undefined)
      reject(`${what} has no property ${JSON.stringify(other.slice(0, 66))}. ${suggestName(other, known)}`);
  };
  rejectUnknown(flow, FLOW_KEYS, "a flow");
  const done = new Set<string>();
  const all = new Set(flow.steps.map(({ id }) => id));
  const parameters = new Set<string>();
  const take = (names: readonly string[], where: string): void => {
    for (const name of names) {
      if (done.has(name)) continue;
      if (all.has(name)) reject(`${where} uses the result of step "${name}", which comes later.`);
      parameters.add(name);
    }
  };
  for (const step of flow.steps) {
    const { id, do: action, with: args } = step;
    if (!isName(id)) reject(`${JSON.stringify(id)} is not a valid step ID.`);
    if (done.has(id)) reject(`two steps have the ID "${id}".`);
    if (!STEP_ACTIONS.includes(action))
      reject(
        `step "${id}" has the unknown action ${JSON.stringify(action)}; the actions are ${STEP_ACTIONS.join(", ")}.`,
      );
    if (typeof args !== "object" || args === null) reject(`step "${id}" has no "with".`);
    rejectUnknown(step, STEP_KEYS, `step "${id}"`);
    rejectUnknown(args, ARGUMENTS[action], `"with" of step "${id}" (${action})`);
    take(placeholderNames(args), `step "${id}"`);
    done.add(id);
  }
  take(placeholderNames(flow.give ?? {}), '"give"');
  const defaults = flow.defaults ?? {};
  const needed = [...parameters].filter((name) => !Object.hasOwn(defaults, name));
  return { all: [...needed, ...Object.keys(defaults)], needed };
}

/** Suggests known names for an unknown one. */
export function suggestName(name: string, known: readonly string[]): string {
  if (known.includes("filters") && FILTER_NAMES.includes(name)) return 'Specify it in "filters".';
  const near = nearest(name, known);
  if (near !== undefined) return `Did you mean "${near}"?`;
  return known.length === 0 ? "There are none." : `Valid names: ${known.join(", ")}.`;
}

/** The value is not trusted: it comes from a model. */
const isName = (value: unknown): boolean => typeof value === "string" && NAME.test(value);
