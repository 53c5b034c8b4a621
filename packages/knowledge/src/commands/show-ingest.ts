import { drawTable, type Screen, visible } from "@toolwright/kit/terminal";
import type { IngestResult, Outcome } from "../ingest/ingest-options.js";
import { count, forPeople } from "./words.js";

/** How many documents of a kind are listed. */
const MOST = 20;

/** What an ingest came to, and what became of the documents that were not taken; in quiet, only those that failed. */
export function showIngest(result: IngestResult, screen: Screen, isQuiet: boolean): string {
  const { paint } = screen;
  const of = (status: Outcome["status"]): readonly Outcome[] =>
    result.outcomes.filter((outcome) => outcome.status === status);
  const failed = listed(
    `${paint.red("✗")} ${count(result.failed, "document")} failed`,
    of("failed"),
    result.failed,
    screen,
  );
  if (isQuiet) return failed.join("\n");
  // What has not changed is counted as skipped too, and nobody has to hear of it.
  const left = Math.max(of("skipped").length, result.skipped - result.delta.unchanged);
  const skipped = listed(`${count(left, "document")} skipped`, of("skipped"), left, screen);
  const warnings = result.warnings.map((warning) => paint.yellow(`! ${visible(forPeople(warning))}`));
  return [...headOf(result, screen), ...failed, ...skipped, ...warnings].join("\n");
}

function headOf({ delta, documents, chunks, ...result }: IngestResult, { paint }: Screen): string[] {
  const { added, modified, removed, unchanged, kept = 0 } = delta;
  const left = `${unchanged} unchanged${kept === 0 ? "" : `, ${kept} kept as before`}`;
  const changes = paint.faint(`${added} added, ${modified} modified, ${removed} removed, ${left}`);
  const counts = `${count(documents, "document")}, ${count(chunks, "passage")}`;
  const name = paint.bold(result.collection);
  if (result.dry_run)
    return [`${name} would have ${counts}`, changes, paint.faint("This was a dry run: nothing was written.")];
  if (result.version === null) return [`${paint.red("✗")} ${name} has no new version`, changes];
  const { version, collection } = result;
  if (result.held === "gates")
    return [
      `${paint.red("✗")} ${name} version ${version} has not passed its gates and does not answer: ${counts}`,
      `"toolwright kb search WORDS -c ${collection} --version ${version}" looks into it`,
      changes,
    ];
  const waits = `waits; "toolwright kb promote ${collection} ${version}" lets it answer`;
  const state = result.promoted ? (result.is_new ? "answers now" : "is up to date") : waits;
  const mark = result.held === undefined ? paint.green("✓") : paint.red("✗");
  return [`${mark} ${name} version ${version} ${state}: ${counts}`, changes];
}

function listed(title: string, outcomes: readonly Outcome[], total: number, { paint, width }: Screen): string[] {
  if (total === 0) return [];
  const shown = outcomes.slice(0, MOST);
  const table = drawTable<Outcome>(
    [
      { name: "  document", text: ({ source }) => `  ${source}`, gives: "path" },
      { name: "reason", text: ({ reason = "" }) => forPeople(reason), gives: "words" },
    ],
    shown,
    { width, head: paint.faint },
  );
  const left = total - shown.length;
  return [
    "",
    title,
    ...(shown.length > 0 ? [table] : []),
    ...(left > 0 ? [paint.faint(`  and ${left} more; --json lists more of them`)] : []),
  ];
}
