import { relative } from "@toolwright/kit/cli";
import { type Column, drawTable, type Paint, remark, say, sayJson } from "@toolwright/kit/terminal";
import { listCollections, type Stats } from "../collections/stats.js";
import { toShownStats } from "../tools/shown.js";
import type { Deed } from "./bench.js";
import { size } from "./words.js";

/** `toolwright kb list`: every collection in a line. */
export const list: Deed = async ({ base, options, screen, now }) => {
  const all = await listCollections(base);
  if (options["--json"]) return sayJson({ collections: all.map(toShownStats) });
  if (options["--quiet"]) return all.length === 0 ? undefined : say(all.map((each) => each.collection.name).join("\n"));
  if (all.length === 0) return remark('No collections. "toolwright kb ingest PATH" makes one.');
  await say(drawTable(columnsOf(screen.paint, now), all, { width: screen.width, head: screen.paint.faint }));
};

const columnsOf = (paint: Paint, now: Date): Column<Stats>[] => [
  {
    name: "collection",
    text: ({ collection }) => collection.name,
    paint: (shown) => paint.bold(shown),
    gives: "words",
  },
  { name: "version", text: versionWords, paint: (shown, row) => (row.version ? shown : paint.faint(shown)) },
  { name: "documents", text: ({ version }) => String(version?.documents ?? 0), isNumber: true },
  { name: "passages", text: ({ version }) => String(version?.chunks ?? 0), isNumber: true },
  { name: "size", text: ({ version }) => size(version?.bytes ?? 0), isNumber: true },
  {
    name: "health",
    text: ({ health }) => healthWords(health.score),
    paint: (shown, row) => inHealth(shown, row, paint),
  },
  {
    name: "changed",
    text: ({ collection }) => relative(collection.updatedAt, now),
    paint: (shown) => paint.faint(shown),
  },
  { name: "about", text: ({ collection }) => collection.description, gives: "words" },
];

function versionWords({ version, status, collection: { pinned } }: Stats): string {
  if (status === "building") return version === undefined ? "building" : `${version.number}, building`;
  if (version === undefined) return status;
  return pinned === null ? String(version.number) : `${version.number}, pinned`;
}

/** A health as people read it. */
export const healthWords = (score: number): string => `${Math.round(score * 100)} %`;

/** Gives a text the colour of a health. */
export function inHealth(text: string, { health }: Pick<Stats, "health">, paint: Paint): string {
  if (health.score >= 0.9) return paint.green(text);
  return health.score >= 0.6 ? paint.yellow(text) : paint.red(text);
}
