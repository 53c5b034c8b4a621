import { type CommandContext, UsageError } from "@toolwright/kit/cli";
import { nearest } from "@toolwright/kit/text";
import type { Deed } from "./deed.js";
import { readThreatWords } from "./options.js";
import { query } from "./query.js";
import { withThreats } from "./with-threats.js";

/** Every deed; those that are asked for less often are not even read. */
const DEEDS: Readonly<Record<string, () => Deed | Promise<Deed>>> = {
  list: async () => (await import("./list.js")).list,
  get: async () => (await import("./get.js")).get,
  query: () => query,
  validate: async () => (await import("./validate.js")).validate,
  review: async () => (await import("./review.js")).review,
  coverage: async () => (await import("./coverage.js")).coverage,
};

/** What people type who mean one of them. */
const SYNONYMS: Readonly<Record<string, string>> = {
  ls: "list",
  show: "get",
  ask: "query",
  search: "query",
  find: "query",
  check: "validate",
  lint: "validate",
  scan: "review",
  diff: "review",
};

/** Does what follows `threats`: asks and checks threat patterns, and reviews code with them. */
export async function runThreats([name, ...words]: readonly string[], context: CommandContext): Promise<void> {
  if (name === undefined) throw new UsageError(`threats needs one of ${Object.keys(DEEDS).join(", ")}`);
  const load = Object.hasOwn(DEEDS, name) ? DEEDS[name] : undefined;
  if (load === undefined) throw new UsageError(unknownDeed(name));
  const deed = await load();
  const { options, plain } = readThreatWords(name, words, deed.takes);
  const [least, most] = deed.words;
  if (plain.length < least) throw new UsageError(`threats ${name} needs ${deed.needs ?? "a word"}`);
  const stray = plain[most];
  if (stray !== undefined) throw new UsageError(`threats ${name} takes no "${stray}"`);
  const format = formatOf(name, deed, options["--format"]?.[0]);
  await withThreats({ deed, options, words: plain, format }, context);
}

function unknownDeed(name: string): string {
  const meant = Object.hasOwn(SYNONYMS, name) ? SYNONYMS[name] : nearest(name, Object.keys(DEEDS));
  return `"threats ${name}" is unknown${meant === undefined ? "" : `; did you mean ${meant}?`}`;
}

function formatOf(name: string, { formats }: Deed, given: string | undefined): string {
  if (given === undefined) return formats[0];
  if (formats.includes(given)) return given;
  const meant = nearest(given, formats);
  const hint = meant === undefined ? `it can be ${formats.join(", ")}` : `did you mean ${meant}?`;
  throw new UsageError(`threats ${name} has no format ${JSON.stringify(given)}; ${hint}`);
}
