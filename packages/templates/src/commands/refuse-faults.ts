import type { JsonObject } from "@toolwright/engine";
import { Failure, showValue } from "@toolwright/kit/cli";
import { checkParameters } from "../format/parameters.js";
import type { Entry } from "../library/library.js";

/** The parameter that a folder gives where nobody does. */
const NAME = "project_name";

/** Refuses parameters that will not do before anything is written: nobody can use half a project. Throws `Failure`. */
export function refuseFaults(entries: readonly Entry[], parameters: JsonObject, given: JsonObject): void {
  const faults = new Map(entries.flatMap((entry) => faultsOf(entry, parameters)));
  if (faults.size === 0) return;
  const lines = [...faults].map(([field, message]) => `  ${field}=${showValue(parameters[field] ?? "")}  ${message}`);
  const hint =
    faults.has(NAME) && given[NAME] === undefined
      ? `\nThe name is that of the folder; give it another: ${NAME}=${nameLike(showValue(parameters[NAME] ?? ""))}`
      : "";
  throw new Failure(`Nothing was written, for these will not do:\n${lines.join("\n")}${hint}`, 2);
}

function faultsOf({ source }: Entry, parameters: JsonObject): readonly (readonly [string, string])[] {
  const known = new Set([NAME, ...source.parameters.map(({ name }) => name)]);
  const own = Object.fromEntries(Object.entries(parameters).filter(([name]) => known.has(name)));
  return checkParameters(source.parameters, own).faults.map(({ field, message }) => [field, message] as const);
}

/** A name that every template takes, near one that not every template does. */
function nameLike(name: string): string {
  const plain = name.normalize("NFKD").replaceAll(/\p{M}/gu, "");
  return plain.replaceAll(/[^A-Za-z0-9]+/g, "-").replaceAll(/^[-0-9]+|-$/g, "") || "my-project";
}
