import path from "node:path";
import { ToolError } from "@toolwright/engine";
import { UsageError } from "@toolwright/kit/cli";
import { namesOf } from "../collections/find-collection.js";
import type { KnowledgeContext } from "../knowledge-context.js";
import type { Bench } from "./bench.js";

/** As many as one names for a search; it takes more where it is to look everywhere. */
const MOST = 10;

/** The names of all collections. */
export async function allNames(base: KnowledgeContext): Promise<readonly string[]> {
  const store = await base.store();
  return store.read(namesOf);
}

/** The collections to search: those that were named, else all; in the version that was asked for. */
export async function wantedCollections(
  { base, options }: Pick<Bench, "base" | "options">,
  version: number | undefined,
): Promise<{ readonly name: string; readonly version: number | undefined }[]> {
  const named = options["--collection"];
  const names = [...new Set(named ?? (await answeringNames(base)))];
  if (names.length === 0)
    throw new ToolError('There is nothing to search yet: "toolwright kb ingest PATH" makes a collection of documents.');
  if (named !== undefined && names.length > MOST)
    throw new UsageError(`${names.length} collections are more than the ${MOST} that one search can name`);
  if (version !== undefined && names.length > 1)
    throw new UsageError("--version needs --collection: each collection has versions of its own");
  return names.map((name) => ({ name, version }));
}

/** Those that have a version that answers. */
async function answeringNames(base: KnowledgeContext): Promise<readonly string[]> {
  const store = await base.store();
  const rows = await store.read((sql) =>
    sql.all(
      "SELECT name FROM collections WHERE name NOT LIKE '#%' AND (active IS NOT NULL OR pinned IS NOT NULL) ORDER BY name",
    ),
  );
  return rows.map((row) => String(row["name"]));
}

/** What a collection is called that nobody has named: as its folder, in letters that every system takes. */
export function portableName(folder: string): string {
  const name = path
    .basename(path.resolve(folder))
    .normalize("NFKD")
    .replaceAll(/\p{Mn}/gu, "")
    .replaceAll(/[^A-Za-z0-9_-]+/g, "-")
    .replaceAll(/^-+|-+$/g, "")
    .slice(0, 100);
  return name === "" ? "documents" : name;
}

/** The version that was given as a word; undefined = none was. */
export function versionOf(word: string | undefined): number | undefined {
  if (word === undefined) return undefined;
  if (/^v?\d{1,9}$/.test(word)) return Number(word.replace(/^v/, ""));
  throw new UsageError(`A version is a number, such as 3, not "${word}"`);
}
