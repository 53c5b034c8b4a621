import { ToolError } from "@toolwright/engine";
import type { FileAccess } from "@toolwright/kit/files";
import { LANGUAGES } from "@toolwright/kit/syntax";
import { nearest } from "@toolwright/kit/text";
import { SEVERITIES } from "../format/pattern.js";
import type { Library } from "../library/library.js";
import { type CodeCheck, checksOf } from "./checks.js";
import { consider } from "./consider.js";
import { type Gathered, type Given, gather } from "./gather.js";
import { NAMED, type ReviewWay, review } from "./review.js";
import type { WholeReview } from "./write-review.js";

/** Which patterns a review is about; what is not given fits all. */
interface Scope {
  readonly language?: string | undefined;
  readonly category?: string | undefined;
  /** This and worse. */
  readonly severity?: string | undefined;
}

/** Reviews a difference, files or texts with the patterns of a library. Throws a `ToolError`. */
export async function runReview(
  library: Library,
  given: Given & Scope,
  way: Pick<ReviewWay, "limit" | "ofOne" | "signal" | "hear">,
  openReach: () => Promise<FileAccess>,
): Promise<WholeReview & Pick<Gathered, "pieces">> {
  const isWanted = await wantedIn(library, given);
  const checks = (await checksOf(library)).filter(({ pattern }) => isWanted(pattern));
  const { pieces, notes } = await gather(given, openReach);
  const found = await review(pieces, { ...way, checks, language: given.language });
  const ids = new Set([...found.patterns, ...found.left_out].map(({ id }) => id));
  return {
    ...found,
    notes: [...notes, ...found.notes],
    consider: await consider(library, pieces, ids, isWanted),
    pieces,
  };
}

/** Tells which patterns are wanted. Throws a `ToolError` for a family, severity or language that there is not. */
async function wantedIn(
  library: Library,
  { language, category, severity }: Scope,
): Promise<(pattern: Pick<CodeCheck["pattern"], "category"> & { readonly severity: string }) => boolean> {
  const families = new Set((await library.list()).map((entry) => entry.category));
  refuse("category", category, families);
  refuse("severity", severity, SEVERITIES);
  refuse("language", language, Object.keys({ ...NAMED, ...LANGUAGES }));
  const worst: readonly string[] = SEVERITIES;
  return (pattern) =>
    (category === undefined || pattern.category === category) &&
    (severity === undefined || worst.indexOf(pattern.severity) <= worst.indexOf(severity));
}

function refuse(what: string, given: string | undefined, known: Iterable<string>): void {
  const names = [...known];
  if (given === undefined || names.includes(given)) return;
  const meant = nearest(given, names);
  const hint = meant === undefined ? `There are ${names.join(", ")}.` : `Did you mean ${meant}?`;
  throw new ToolError(`There is no ${what} ${JSON.stringify(given)}. ${hint}`, { code: "INVALID_ARGUMENTS" });
}
