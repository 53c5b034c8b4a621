import { relative } from "@toolwright/kit/cli";
import { drawTable, type Screen } from "@toolwright/kit/terminal";
import type { HistoryEntry } from "../tasks/history.js";
import type { Shorten } from "./short-ids.js";

/** What has happened, as a table. */
export function drawHistory(
  events: readonly HistoryEntry[],
  shorten: Shorten,
  { paint, width }: Screen,
  now: Date,
): string {
  return drawTable<HistoryEntry>(
    [
      { name: "when", text: ({ at }) => relative(at, now), paint: (shown) => paint.faint(shown) },
      { name: "who", text: ({ actor }) => actor ?? "somebody" },
      { name: "id", text: (event) => shorten(event.task_id), paint: (shown) => paint.bold(shown) },
      { name: "what", text: deedText, gives: "words" },
    ],
    events,
    { width, head: paint.faint },
  );
}

/** These say again what the others do. */
const SILENT = new Set(["started_at", "completed_at", "lease_until"]);

/** What an event did, in words. */
export function deedText({ kind, changes, reason, undoes }: HistoryEntry): string {
  const said = Object.entries(changes)
    .filter(([name]) => !SILENT.has(name))
    .map(([name, { was, is }]) => `${name} ${valueText(was)} → ${valueText(is)}`);
  const words = `${undoes === null ? "" : "undone: "}${kind.replace("_", " ")}`;
  return `${[words, ...said].join(", ")}${reason === null ? "" : ` (${reason})`}`;
}

const LONGEST = 40;

function valueText(value: unknown): string {
  if (value === null || value === "") return "none";
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
