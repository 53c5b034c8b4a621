import { ToolError } from "@toolwright/engine";
import { DEEDS, type Flow } from "./flow.js";
import { namesIn } from "./template.js";

const NAME = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;
const MOST_STEPS = 20;
const MOST_CHARACTERS = 50_000;

/** What a flow needs to be told: the names that are neither steps nor have a default. Throws where it cannot work. */
export function checkFlow(flow: Flow): readonly string[] {
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
  for (const { id, do: deed, with: wish } of flow.steps) {
    if (!isName(id)) refuse(`${JSON.stringify(id)} cannot be the id of a step.`);
    if (done.has(id)) refuse(`two steps are called "${id}".`);
    if (!DEEDS.includes(deed)) refuse(`step "${id}" does ${JSON.stringify(deed)}; it can do ${DEEDS.join(", ")}.`);
    if (typeof wish !== "object" || wish === null) refuse(`step "${id}" has no "with".`);
    take(namesIn(wish), `step "${id}"`);
    done.add(id);
  }
  take(namesIn(flow.give ?? {}), "what it gives");
  return [...parameters].filter((name) => !Object.hasOwn(flow.defaults ?? {}, name));
}

/** What a model has written may be anything. */
const isName = (value: unknown): boolean => typeof value === "string" && NAME.test(value);
