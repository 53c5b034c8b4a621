import type { Tool } from "@toolwright/engine";
import { nearest } from "@toolwright/kit/text";
import type { Settings } from "../settings.js";

/** The tools that the settings leave on. Throws an error that names a switch for which there is no tool. */
export function switchedOn(
  { tools: switches, read_only: isReadOnly }: Settings,
  tools: readonly Tool[],
): readonly Tool[] {
  const names = tools.map(({ name }) => name);
  const unknown = Object.keys(switches).find((name) => !names.includes(name));
  if (unknown !== undefined) {
    const found = nearest(unknown, names);
    const hint = found === undefined ? "" : `; did you mean ${found}?`;
    throw new Error(`settings.tools.${unknown}: there is no such tool${hint}`);
  }
  return tools.filter(
    ({ name, annotations }) => switches[name] !== false && !(isReadOnly && annotations?.readOnlyHint !== true),
  );
}
