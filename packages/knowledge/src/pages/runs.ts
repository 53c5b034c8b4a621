import { type Html, type HtmlPart, html } from "@toolwright/kit/html";
import { count, moment } from "@toolwright/kit/pages";
import { type LastRun, toRun } from "../collections/stats.js";
import type { KnowledgeContext } from "../knowledge-context.js";
import { textOf } from "../store/rows.js";
import { collectionPath } from "./elements.js";

/** An ingest. */
export interface Run extends LastRun {
  readonly collection: string;
  readonly version: number;
}

/** A document that an ingest skipped or failed to read. */
export interface SkippedDocument {
  readonly source: string;
  readonly status: string;
  readonly reason: string | null;
}

const MAX_SKIPPED = 50;

/** Reads the last ingests, the newest first: of one collection, or of all. */
export async function readRuns(context: KnowledgeContext, limit: number, name?: string): Promise<readonly Run[]> {
  const store = await context.store();
  const rows = await store.read((sql) =>
    sql.all(
      `SELECT r.*, c.name FROM runs r JOIN collections c ON c.id = r.collection
       WHERE c.name ${name === undefined ? "NOT LIKE '#%'" : "= ?"} ORDER BY r.started_at DESC LIMIT ${limit}`,
      ...(name === undefined ? [] : [name]),
    ),
  );
  const now = context.now();
  return rows.map((row) => ({
    ...toRun(row, now),
    collection: String(row["name"]),
    version: Number(row["version"]),
  }));
}

/** Reads which documents an ingest skipped or failed to read, and why. */
export async function readSkipped(context: KnowledgeContext, run: string): Promise<readonly SkippedDocument[]> {
  const store = await context.store();
  const rows = await store.read((sql) =>
    sql.all(
      `SELECT source, status, reason FROM outcomes WHERE run = ? AND status <> 'success' AND reason IS NOT NULL
       ORDER BY status, source LIMIT ${MAX_SKIPPED}`,
      run,
    ),
  );
  return rows.map((row) => ({
    source: String(row["source"]),
    status: String(row["status"]),
    reason: textOf(row["reason"]),
  }));
}

const RUN_STATES: Readonly<Record<string, string>> = {
  running: "in_progress",
  done: "completed",
  failed: "failed",
  cancelled: "cancelled",
};

const STAGE_NAMES: Readonly<Record<string, string>> = {
  discover: "finding documents",
  read: "reading documents",
  embed: "computing vectors",
  index: "indexing",
  evaluate: "running checks",
  promote: "promoting",
};

/** Ingests as a list; `hasName` adds the names of the collections. */
export const runList = (runs: readonly Run[], now: string, hasName: boolean): Html =>
  html`<ol class="timeline">${runs.map(
    (run) =>
      html`<li class="is-${RUN_STATES[run.status] ?? "pending"}" data-key="${run.id}"><p class="event">${
        hasName && html`<a href="${collectionPath(run.collection)}">${run.collection}</a>: `
      }${describeRun(run)}</p>${progressBar(run)}<p class="when">${moment(run.startedAt, now)}${describeCounts(run)}</p>${
        run.message !== null && html`<p class="why" dir="auto">${run.message}</p>`
      }</li>`,
  )}</ol>`;

function describeRun({ status, version, stage }: Run): string {
  if (status === "running") return `version ${version}, ${STAGE_NAMES[stage] ?? stage}`;
  return status === "done" ? `version ${version} built` : `version ${version}: ${status}`;
}

/** The progress of a running ingest. */
function progressBar({ status, stage, done, total, collection }: Run): HtmlPart {
  if (status !== "running") return undefined;
  const label = `Ingest into ${collection}: ${STAGE_NAMES[stage] ?? stage}`;
  return total === 0
    ? html`<p class="progress"><progress aria-label="${label}"></progress></p>`
    : html`<p class="progress"><progress aria-label="${label}" value="${Math.min(done, total)}" max="${total}"></progress> ${done.toLocaleString("en")} of ${total.toLocaleString("en")}</p>`;
}

const describeCounts = ({ succeeded, skipped, failed }: Run): string =>
  [
    succeeded > 0 && `, ${count(succeeded, "document")} ingested`,
    skipped > 0 && `, ${skipped.toLocaleString("en")} unchanged or skipped`,
    failed > 0 && `, ${failed.toLocaleString("en")} failed`,
  ]
    .filter((text) => text !== false)
    .join("");
