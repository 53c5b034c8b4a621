import { type LastRun, toRun } from "@toolwright/knowledge/collections/stats.js";
import type { KnowledgeContext as Base } from "@toolwright/knowledge/knowledge-context.js";
import { textOf } from "@toolwright/knowledge/store/rows.js";
import { type Html, html, type Piece } from "../html.js";
import { count, moment } from "../parts.js";
import { placeOfCollection } from "./knowledge-parts.js";

/** A run of an ingest. */
export interface Run extends LastRun {
  readonly collection: string;
  readonly version: number;
}

/** A document that an ingest did not take. */
export interface Left {
  readonly source: string;
  readonly status: string;
  readonly reason: string | null;
}

const MOST_LEFT = 50;

/** The last runs, the newest first: of one collection, or of all. */
export async function readRuns(base: Base, most: number, name?: string): Promise<readonly Run[]> {
  const ledger = await base.store();
  const rows = await ledger.read((sql) =>
    sql.all(
      `SELECT r.*, c.name FROM runs r JOIN collections c ON c.id = r.collection
       WHERE c.name ${name === undefined ? "NOT LIKE '#%'" : "= ?"} ORDER BY r.started_at DESC LIMIT ${most}`,
      ...(name === undefined ? [] : [name]),
    ),
  );
  const now = base.now();
  return rows.map((row) => ({
    ...toRun(row, now),
    collection: String(row["name"]),
    version: Number(row["version"]),
  }));
}

/** What a run did not take, and why; what failed first. */
export async function readLeft(base: Base, run: string): Promise<readonly Left[]> {
  const ledger = await base.store();
  const rows = await ledger.read((sql) =>
    sql.all(
      `SELECT source, status, reason FROM outcomes WHERE run = ? AND status <> 'success' AND reason IS NOT NULL
       ORDER BY status, source LIMIT ${MOST_LEFT}`,
      run,
    ),
  );
  return rows.map((row) => ({
    source: String(row["source"]),
    status: String(row["status"]),
    reason: textOf(row["reason"]),
  }));
}

const STATES: Readonly<Record<string, string>> = {
  running: "in_progress",
  done: "completed",
  failed: "failed",
  cancelled: "cancelled",
};

const STAGES: Readonly<Record<string, string>> = {
  discover: "looking for documents",
  read: "reading documents",
  embed: "making vectors",
  index: "indexing",
  evaluate: "checking",
  promote: "promoting",
};

/** Runs as a list; `hasName` says of which collection each is. */
export const runList = (runs: readonly Run[], now: string, hasName: boolean): Html =>
  html`<ol class="timeline">${runs.map(
    (run) =>
      html`<li class="is-${STATES[run.status] ?? "pending"}" data-key="${run.id}"><p class="deed">${
        hasName && html`<a href="${placeOfCollection(run.collection)}">${run.collection}</a>: `
      }${deedOf(run)}</p>${progressOf(run)}<p class="when">${moment(run.startedAt, now)}${countsOf(run)}</p>${
        run.message !== null && html`<p class="why" dir="auto">${run.message}</p>`
      }</li>`,
  )}</ol>`;

function deedOf({ status, version, stage }: Run): string {
  if (status === "running") return `version ${version}, ${STAGES[stage] ?? stage}`;
  return status === "done" ? `version ${version} was built` : `version ${version}: ${status}`;
}

/** How far a run is; where nobody knows how much there is, nothing moves. */
function progressOf({ status, stage, done, total, collection }: Run): Piece {
  if (status !== "running") return undefined;
  const label = `Ingest into ${collection}: ${STAGES[stage] ?? stage}`;
  return total === 0
    ? html`<p class="progress"><progress aria-label="${label}"></progress></p>`
    : html`<p class="progress"><progress aria-label="${label}" value="${Math.min(done, total)}" max="${total}"></progress> ${done.toLocaleString("en")} of ${total.toLocaleString("en")}</p>`;
}

const countsOf = ({ succeeded, skipped, failed }: Run): string =>
  [
    succeeded > 0 && `, ${count(succeeded, "document")} taken`,
    skipped > 0 && `, ${skipped.toLocaleString("en")} unchanged or skipped`,
    failed > 0 && `, ${failed.toLocaleString("en")} failed`,
  ]
    .filter((words) => words !== false)
    .join("");
