import { type CommandContext, Failure, relative, UsageError } from "@toolwright/kit/cli";
import {
  askYes,
  type Column,
  drawTable,
  type Paint,
  remark,
  type Screen,
  say,
  sayJson,
  visibleLine,
  widthOf,
} from "@toolwright/kit/terminal";
import type { Collection, Version } from "../collections/collection.js";
import { createCollection, deleteCollection } from "../collections/create-collection.js";
import { listVersions } from "../collections/find-collection.js";
import { pin, promote, rollBack } from "../collections/promote.js";
import { listCollections, readAllStats, readCollectionStats, type Stats } from "../collections/stats.js";
import type { KnowledgeContext } from "../knowledge-context.js";
import { describeStats, describeVersion } from "../tools/results.js";
import { count, formatBytes, formatHealth, formatMeasures, paintHealth } from "./format.js";
import { type CommonInput, withKnowledge } from "./open-knowledge.js";

interface CollectionInput extends CommonInput {
  readonly collection: string;
}

const NO_COLLECTIONS = "No collections. To create one, run: toolwright kb ingest PATH";

/** `toolwright kb list` */
export const runList = (input: CommonInput, ctx: CommandContext): Promise<void> =>
  withKnowledge(ctx, input, async (context) => {
    const all = await listCollections(context);
    if (input.json) return sayJson({ collections: all.map(describeStats) });
    if (input.quiet) return all.length === 0 ? undefined : say(all.map((each) => each.collection.name).join("\n"));
    if (all.length === 0) return remark(NO_COLLECTIONS);
    const { paint, width } = ctx.screen;
    await say(drawTable(listColumns(paint, ctx.now()), all, { width, head: paint.faint }));
  });

const listColumns = (paint: Paint, now: Date): Column<Stats>[] => [
  {
    name: "collection",
    text: ({ collection }) => collection.name,
    paint: (shown) => paint.bold(shown),
    gives: "words",
  },
  { name: "version", text: describeActive, paint: (shown, row) => (row.version ? shown : paint.faint(shown)) },
  { name: "documents", text: ({ version }) => String(version?.documents ?? 0), isNumber: true },
  { name: "passages", text: ({ version }) => String(version?.chunks ?? 0), isNumber: true },
  { name: "size", text: ({ version }) => formatBytes(version?.bytes ?? 0), isNumber: true },
  {
    name: "health",
    text: ({ health }) => formatHealth(health.score),
    paint: (shown, row) => paintHealth(shown, row, paint),
  },
  {
    name: "changed",
    text: ({ collection }) => relative(collection.updatedAt, now),
    paint: (shown) => paint.faint(shown),
  },
  { name: "description", text: ({ collection }) => collection.description, gives: "words" },
];

function describeActive({ version, status, collection: { pinned } }: Stats): string {
  if (status === "building") return version === undefined ? "building" : `${version.number}, building`;
  if (version === undefined) return status;
  return pinned === null ? String(version.number) : `${version.number}, pinned`;
}

/** `toolwright kb stats` */
export const runStats = (
  input: CommonInput & { readonly collection: string | undefined; readonly version: number | undefined },
  ctx: CommandContext,
): Promise<void> =>
  withKnowledge(ctx, input, async (context) => {
    const { collection: name, version } = input;
    if (version !== undefined && name === undefined) throw new UsageError("--version needs the name of a collection");
    const all = name === undefined ? await readAllStats(context) : [await readCollectionStats(context, name, version)];
    if (input.json) return sayJson({ collections: all.map(describeStats) });
    if (all.length === 0) return remark(NO_COLLECTIONS);
    await say(all.map((each) => showStats(each, ctx.screen, ctx.now())).join("\n\n"));
  });

function showStats(stats: Stats, { paint }: Screen, now: Date): string {
  const { collection, version, health, lastRun } = stats;
  const facts: (readonly [name: string, value: string])[] = [
    ["active", version === undefined ? `nothing yet (${stats.status})` : describePinned(stats)],
    ["versions", String(stats.versions)],
    ["documents", withKinds(version?.documents ?? 0, stats.kinds)],
    ["passages", `${(version?.chunks ?? 0).toLocaleString("en")} of up to ${collection.chunkSize} tokens`],
    ["size", formatBytes(version?.bytes ?? 0)],
    ["vectors", version === undefined || version.embedder === "" ? "none" : describeVectors(version)],
    ["licences", listCounts(stats.licenses)],
    ["languages", listCounts(stats.languages)],
    ["quality", stats.quality === null ? "not measured" : formatMeasures(stats.quality)],
    ["health", [paintHealth(formatHealth(health.score), stats, paint), ...health.reasons].join("; ")],
    ["folder", collection.folder === null ? "" : visibleLine(collection.folder)],
    ["last ingest", lastRun === undefined ? "" : describeRun(lastRun, now)],
    ["flows", stats.flows.join(", ")],
  ];
  const shown = facts.filter(([, value]) => value !== "");
  const width = Math.max(...shown.map(([name]) => widthOf(name)));
  const description = collection.description === "" ? "" : `  ${visibleLine(collection.description)}`;
  return [
    `${paint.bold(collection.name)}${description}`,
    ...shown.map(([name, value]) => `  ${paint.faint(name.padEnd(width))}  ${value}`),
  ].join("\n");
}

const describePinned = ({ version, collection: { active, pinned } }: Stats): string =>
  `version ${version?.number}${pinned === null ? "" : `, pinned; ${active} is active`}`;

const describeVectors = ({ embedder, dimension }: NonNullable<Stats["version"]>): string =>
  `${visibleLine(embedder)}, ${dimension} dimensions`;

function withKinds(number: number, kinds: Stats["kinds"]): string {
  const listed = listCounts(kinds);
  return `${number.toLocaleString("en")}${listed === "" ? "" : ` (${listed})`}`;
}

const listCounts = (counts: Readonly<Record<string, number>> = {}): string =>
  Object.entries(counts)
    .map(([name, number]) => `${number.toLocaleString("en")} ${visibleLine(name)}`)
    .join(", ");

const describeRun = (run: NonNullable<Stats["lastRun"]>, now: Date): string =>
  [
    `${run.status === "running" ? `running (${run.stage})` : run.status}, ${relative(run.startedAt, now)}`,
    ...(run.failed > 0 ? [`${count(run.failed, "document")} failed`] : []),
    ...(run.message === null ? [] : [visibleLine(run.message)]),
  ].join("; ");

interface CreateInput extends CommonInput {
  readonly name: string;
  readonly description: string | undefined;
  readonly chunkSize: number | undefined;
  readonly chunkOverlap: number | undefined;
}

/** `toolwright kb create` */
export const runCreate = (input: CreateInput, ctx: CommandContext): Promise<void> =>
  withKnowledge(
    ctx,
    input,
    async (context) => {
      const { name, chunkSize: size, chunkOverlap: overlap } = input;
      const options = { name, description: input.description, chunk_size: size, chunk_overlap: overlap };
      const { description, chunkSize, chunkOverlap, createdAt } = await createCollection(context, options);
      const created = { name, description, chunk_size: chunkSize, chunk_overlap: chunkOverlap, created_at: createdAt };
      if (input.json) return sayJson(created);
      if (input.quiet) return;
      const { paint } = ctx.screen;
      const hint = `To add documents, run: toolwright kb ingest PATH -c ${name}`;
      await say(`${paint.green("✓")} Created ${paint.bold(name)}\n${hint}`);
    },
    { creates: true },
  );

/** `toolwright kb remove` */
export const runRemove = (input: CollectionInput & { readonly yes: boolean }, ctx: CommandContext): Promise<void> =>
  withKnowledge(ctx, input, async (context) => {
    const { collection: name } = input;
    if (!input.yes) await confirm(context, name);
    const deleted = await deleteCollection(context, name);
    if (input.json) return sayJson(deleted);
    if (input.quiet) return;
    const { paint } = ctx.screen;
    const counts = `${count(deleted.versions, "version")}, ${count(deleted.documents, "document")}`;
    await say(`${paint.green("✓")} Deleted ${paint.bold(name)}: ${counts}`);
  });

async function confirm(context: KnowledgeContext, name: string): Promise<void> {
  if (!(process.stdin.isTTY && process.stderr.isTTY))
    throw new UsageError("kb remove needs --yes if stdin or stderr is not a terminal");
  const { version, versions } = await readCollectionStats(context, name);
  const counts = `${count(versions, "version")}, ${count(version?.documents ?? 0, "document")}`;
  if (!(await askYes(`Delete ${name} (${counts})? The source files stay.`))) throw new Failure("Nothing was deleted");
}

/** `toolwright kb versions` */
export const runVersions = (input: CollectionInput, ctx: CommandContext): Promise<void> =>
  withKnowledge(ctx, input, async (context) => {
    const { collection: name } = input;
    const { collection, versions } = await listVersions(context, name);
    const { active, pinned } = collection;
    if (input.json) return sayJson({ collection: name, active, pinned, versions: versions.map(describeVersion) });
    if (input.quiet) return versions.length === 0 ? undefined : say(versions.map(({ number }) => number).join("\n"));
    if (versions.length === 0)
      return remark(`${name} has no versions. To create one, run: toolwright kb ingest PATH -c ${name}`);
    const { paint, width } = ctx.screen;
    await say(drawTable(versionColumns(collection, paint, ctx.now()), versions, { width, head: paint.faint }));
  });

const versionColumns = (collection: Collection, paint: Paint, now: Date): Column<Version>[] => [
  { name: "version", text: ({ number }) => String(number), isNumber: true, paint: (shown) => paint.bold(shown) },
  {
    name: "state",
    text: (version) => describeState(collection, version),
    paint: (shown, version) => paintState(shown, collection, version, paint),
  },
  { name: "documents", text: ({ documents }) => String(documents), isNumber: true },
  { name: "passages", text: ({ chunks }) => String(chunks), isNumber: true },
  { name: "changes", text: describeDelta },
  { name: "created", text: ({ createdAt }) => relative(createdAt, now), paint: (shown) => paint.faint(shown) },
  { name: "quality", text: ({ quality }) => (quality === null ? "" : formatMeasures(quality)), gives: "words" },
];

function describeState({ active, pinned }: Collection, { number, status }: Version): string {
  const marks = [...(number === active ? ["active"] : []), ...(number === pinned ? ["pinned"] : [])];
  const isSearched = number === (pinned ?? active);
  return marks.length === 0 ? status : `${isSearched ? "● " : "○ "}${marks.join(", ")}`;
}

function paintState(shown: string, { active, pinned }: Collection, { number, status }: Version, paint: Paint): string {
  if (number === (pinned ?? active)) return paint.green(shown);
  if (status === "failed") return paint.red(shown);
  return status === "building" ? paint.cyan(shown) : shown;
}

/** The parent and the changes since then: `2: +3 ~1 −0`. */
function describeDelta({ parent, delta: { added = 0, modified = 0, removed = 0 } }: Version): string {
  const changes = `+${added} ~${modified} −${removed}`;
  return parent === null ? changes : `${parent}: ${changes}`;
}

interface SwitchInput extends CollectionInput {
  readonly version?: number | undefined;
  readonly force?: boolean;
}

/** `toolwright kb promote`, `rollback`, `pin` and `unpin` */
export const runSwitch = (
  action: "promote" | "rollback" | "pin" | "unpin",
  input: SwitchInput,
  ctx: CommandContext,
): Promise<void> =>
  withKnowledge(ctx, input, async (context) => {
    const { collection: name, version, force } = input;
    const { paint } = ctx.screen;
    const print = async (result: unknown, text: string): Promise<void> => {
      if (input.json) return sayJson(result);
      if (!input.quiet) await say(`${paint.green("✓")} ${text}`);
    };
    if (action === "pin" || action === "unpin") {
      const done = await pin(context, name, action === "pin" ? version : null, ctx.signal);
      const active = done.answers === null ? "no version is active" : `version ${done.answers} is active`;
      return print(
        done,
        action === "pin"
          ? `Version ${done.pinned} of ${paint.bold(name)} is pinned`
          : `No version of ${paint.bold(name)} is pinned; ${active}`,
      );
    }
    const done =
      action === "promote"
        ? await promote(context, name, version, { force, signal: ctx.signal })
        : await rollBack(context, name, version, ctx.signal);
    if (!input.json) for (const warning of done.warnings) remark(`! ${warning}`);
    const before = done.from === null || done.from === done.to ? "" : ` instead of ${done.from}`;
    await print(done, `Version ${done.to} of ${paint.bold(done.collection)} is active${before}`);
  });
