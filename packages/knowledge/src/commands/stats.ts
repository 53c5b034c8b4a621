import { numberOf, relative, UsageError } from "@toolwright/kit/cli";
import { remark, type Screen, say, sayJson, visibleLine, widthOf } from "@toolwright/kit/terminal";
import { readAllStats, readCollectionStats, type Stats } from "../collections/stats.js";
import { toShownStats } from "../tools/shown.js";
import type { Deed } from "./bench.js";
import { healthWords, inHealth } from "./list.js";
import { measureWords } from "./measures.js";
import { count, size } from "./words.js";

/** `toolwright kb stats`: all numbers of a collection, or of every one. */
export const stats: Deed = async ({ base, options, words: [name], screen, now }) => {
  const version = numberOf(options, "--version", 0);
  if (version !== undefined && name === undefined) throw new UsageError("--version needs the name of a collection");
  const all = name === undefined ? await readAllStats(base) : [await readCollectionStats(base, name, version)];
  if (options["--json"]) return sayJson({ collections: all.map(toShownStats) });
  if (all.length === 0) return remark('No collections. "toolwright kb ingest PATH" makes one.');
  await say(all.map((each) => draw(each, screen, now)).join("\n\n"));
};

function draw(one: Stats, { paint }: Screen, now: Date): string {
  const { collection, version, health, lastRun } = one;
  const facts: (readonly [name: string, value: string])[] = [
    ["answers", version === undefined ? `nothing yet (${one.status})` : versionWords(one)],
    ["versions", String(one.versions)],
    ["documents", countOf(version?.documents ?? 0, one.kinds)],
    ["passages", `${(version?.chunks ?? 0).toLocaleString("en")} of up to ${collection.chunkSize} tokens`],
    ["size", size(version?.bytes ?? 0)],
    ["vectors", version === undefined || version.embedder === "" ? "none" : vectorWords(version)],
    ["licences", listed(one.licenses)],
    ["languages", listed(one.languages)],
    ["quality", one.quality === null ? "not measured" : measureWords(one.quality)],
    ["health", [inHealth(healthWords(health.score), one, paint), ...health.reasons].join("; ")],
    ["taken from", collection.folder === null ? "" : visibleLine(collection.folder)],
    ["last ingest", lastRun === undefined ? "" : runWords(lastRun, now)],
    ["flows", one.flows.join(", ")],
  ];
  const shown = facts.filter(([, value]) => value !== "");
  const width = Math.max(...shown.map(([name]) => widthOf(name)));
  const about = collection.description === "" ? "" : `  ${visibleLine(collection.description)}`;
  return [
    `${paint.bold(collection.name)}${about}`,
    ...shown.map(([name, value]) => `  ${paint.faint(name.padEnd(width))}  ${value}`),
  ].join("\n");
}

const versionWords = ({ version, collection: { active, pinned } }: Stats): string =>
  `version ${version?.number}${pinned === null ? "" : `, pinned; ${active} is active`}`;

const vectorWords = ({ embedder, dimension }: NonNullable<Stats["version"]>): string =>
  `${visibleLine(embedder)}, ${dimension} dimensions`;

function countOf(number: number, kinds: Stats["kinds"]): string {
  const several = listed(kinds);
  return `${number.toLocaleString("en")}${several === "" ? "" : ` (${several})`}`;
}

const listed = (counts: Readonly<Record<string, number>> = {}): string =>
  Object.entries(counts)
    .map(([name, number]) => `${number.toLocaleString("en")} ${visibleLine(name)}`)
    .join(", ");

const runWords = (run: NonNullable<Stats["lastRun"]>, now: Date): string =>
  [
    `${run.status === "running" ? `running (${run.stage})` : run.status}, ${relative(run.startedAt, now)}`,
    ...(run.failed > 0 ? [count(run.failed, "document") + " failed"] : []),
    ...(run.message === null ? [] : [visibleLine(run.message)]),
  ].join("; ");
