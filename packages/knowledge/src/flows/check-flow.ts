import { ToolError } from "@toolwright/engine";
import { nearest } from "@toolwright/kit/text";
import { FILTER_NAMES } from "../answers/check-filters.js";
import { ARGUMENTS, DEEDS, type Flow } from "./flow.js";
import { namesIn } from "./template.js";

const NAME = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;
const MOST_STEPS = 20;
const MOST_CHARACTERS = 50_000;

const OF_FLOW = ["id", "description", "defaults", "steps", "give"];
const OF_STEP = ["id", "do", "with"];

/** What a flow can be told. */
export interface Parameters {
  readonly all: readonly string[];
  /** Those that have no default. */
  readonly needed: readonly string[];
}

/** Finds out what a flow can be told: the names in it that are no steps, and those that have a default. Throws where it cannot work. */
export function checkFlow(flow: Flow): Parameters {
  const refuse = (reason: string): never => {
    throw new ToolError(`Cannot use flow ${JSON.stringify(flow.id)?.slice(0, 66)}: ${reason}`, {
      code: "INVALID_ARGUMENT",
    });
  };
  if (!isName(flow.id)) refuse('its id has to be letters, digits, "_" and "-", with a letter first.');
  if (!Array.isArray(flow.steps) || flow.steps.length === 0) refuse("it has no steps.");
  if (!flow.steps.every((step: unknown) => typeof step === "object" && step !== null)) refuse("a step of it is none.");
  if (flow.steps.length > MOST_STEPS) refuse(`it has ${flow.steps.length} steps; ${MOST_STEPS} are the most.`);
  if (JSON.stringify(flow).length > MOST_CHARACTERS) refuse(`it has more than ${MOST_CHARACTERS} characters.`);
  const refuseOthers = (given: object, known: readonly string[], what: string): void => {
    const other = Object.keys(given).find((name) => !known.includes(name));
    if (other !== undefined) refuse(`${what} takes no ${JSON.stringify(other.slice(0, 66))}. ${hintFor(other, known)}`);
  };
  refuseOthers(flow, OF_FLOW, "a flow");
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
    const { id, do: deed, with: wish } = step;
    if (!isName(id)) refuse(`${JSON.stringify(id)} cannot be the id of a step.`);
    if (done.has(id)) refuse(`two steps are called "${id}".`);
    if (!DEEDS.includes(deed)) refuse(`step "${id}" does ${JSON.stringify(deed)}; it can do ${DEEDS.join(", ")}.`);
    if (typeof wish !== "object" || wish === null) refuse(`step "${id}" has no "with".`);
    refuseOthers(step, OF_STEP, `step "${id}"`);
    refuseOthers(wish, ARGUMENTS[deed], `"with" of step "${id}" (${deed})`);
    take(namesIn(wish), `step "${id}"`);
    done.add(id);
  }
  take(namesIn(flow.give ?? {}), "what it gives");
  const defaults = flow.defaults ?? {};
  const needed = [...parameters].filter((name) => !Object.hasOwn(defaults, name));
  return { all: [...needed, ...Object.keys(defaults)], needed };
}

/** What a name that is not known may have been meant as. */
export function hintFor(name: string, known: readonly string[]): string {
  if (known.includes("filters") && FILTER_NAMES.includes(name)) return 'It is one of "filters".';
  const near = nearest(name, known);
  if (near !== undefined) return `Did you mean "${near}"?`;
  return known.length === 0 ? "It takes none." : `It takes ${known.join(", ")}.`;
}

/** What a model has written may be anything. */
const isName = (value: unknown): boolean => typeof value === "string" && NAME.test(value);
