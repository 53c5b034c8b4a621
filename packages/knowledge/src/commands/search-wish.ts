import { choicesOf, numberOf, UsageError } from "@toolwright/kit/cli";
import type { Filters } from "../search/search-types.js";
import { metadataOf, OPTIONS, type Options } from "./options.js";

/** How many results there are where nothing else is said. */
const USUAL = 5;

/** Which passages may answer, as the options say it; undefined = all. */
export function filtersOf(options: Options): Filters | undefined {
  const [start, end] = [dayOf(options, "--since"), dayOf(options, "--until")];
  const metadata = metadataOf(options);
  const named = (options["--type"] ?? []).map((kind) => kind.toLowerCase());
  const types = choicesOf({ "--type": named }, "--type", OPTIONS["--type"].among) ?? [];
  const passages = choicesOf(options, "--passages", OPTIONS["--passages"].among);
  const least = scoreOf(options);
  const filters: Filters = {
    ...(types.length > 0 && { document_types: types }),
    ...((start ?? end) !== undefined && {
      date_range: { ...(start !== undefined && { start }), ...(end !== undefined && { end }) },
    }),
    ...(metadata !== undefined && { metadata }),
    ...(passages !== undefined && { chunk_types: passages }),
    ...(least !== undefined && { min_score: least }),
  };
  return Object.keys(filters).length === 0 ? undefined : filters;
}

/** How many results are wanted. */
export const limitOf = (options: Options): number => numberOf(options, "--limit", 1, 100) ?? USUAL;

function dayOf(options: Options, name: "--since" | "--until"): string | undefined {
  const day = options[name]?.[0];
  if (day === undefined || !Number.isNaN(Date.parse(day))) return day;
  throw new UsageError(`${name} needs a day such as 2026-01-31, or a time, not "${day}"`);
}

function scoreOf(options: Options): number | undefined {
  const word = options["--min-score"]?.[0];
  if (word === undefined) return undefined;
  const score = /^\d+(?:\.\d+)?$|^\.\d+$/.test(word) ? Number(word) : Number.NaN;
  if (Number.isFinite(score)) return score;
  throw new UsageError(`--min-score needs a number such as 0.5, not "${word}"`);
}
