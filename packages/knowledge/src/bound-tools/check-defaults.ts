import { ToolError } from "@toolwright/engine";
import { checkFilters } from "../answers/check-filters.js";
import type { BoundDefaults } from "./bound-tool.js";

const MODES = ["hybrid", "words", "vector"];
const MOST = 100;

const isTopK = (value: unknown): boolean => Number.isInteger(value) && Number(value) >= 1 && Number(value) <= MOST;

const RULES: Readonly<Record<keyof BoundDefaults, (value: unknown) => boolean>> = {
  top_k: isTopK,
  mode: (value) => MODES.includes(String(value)),
  filters: (value) => checkFilters(value) !== undefined,
};

/** Reads the arguments that a tool shall have by default, whose form no schema has told. */
export function checkDefaults(given: unknown): BoundDefaults {
  for (const [name, value] of Object.entries(given ?? {}))
    if (!Object.hasOwn(RULES, name) || !RULES[name as keyof BoundDefaults](value))
      throw new ToolError(
        `Cannot use ${JSON.stringify(name.slice(0, 100))} in "defaults": it takes top_k (1 to ${MOST}), mode (${MODES.join(", ")}) and filters.`,
        { code: "INVALID_ARGUMENT", details: { argument: `defaults.${name.slice(0, 100)}` } },
      );
  return given ?? {};
}
