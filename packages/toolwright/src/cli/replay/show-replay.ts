import type { Json } from "@toolwright/engine";
import type { Difference, ReplayedRequest, ReplayReport } from "@toolwright/engine/client";
import { type Paint, visible, visibleLine } from "@toolwright/kit/terminal";

const BRUSHES = { "-": "red", "+": "green", " ": "faint" } as const;

/** The number of requests by outcome. */
export interface Count {
  readonly requests: number;
  readonly same: number;
  readonly differ: number;
  readonly notCompared: number;
  readonly skipped: number;
}

/** Counts the requests of a replay by outcome. */
export function countOf({ requests }: ReplayReport): Count {
  const count = (verdict: ReplayedRequest["verdict"]): number =>
    requests.filter((one) => one.verdict === verdict).length;
  return {
    requests: requests.length,
    same: count("same"),
    differ: count("differs"),
    notCompared: count("not compared"),
    skipped: count("skipped"),
  };
}

/** Renders a replay: differences, skipped requests, and a summary. */
export function showReplay(replay: ReplayReport, paint: Paint): string {
  const { requests, notes } = replay;
  const count = countOf(replay);
  const isOne = new Set(requests.map(({ session }) => session)).size === 1;
  const titleOf = ({ method, name, session }: ReplayedRequest): string =>
    visibleLine(`${method}${name === undefined ? "" : ` ${name}`}${isOne ? "" : ` (session ${session})`}`);
  const differing = requests.filter(({ verdict }) => verdict === "differs");
  const passed = requests.filter(({ reason }) => reason !== undefined);
  const parts = [
    differing.length === 0 ? "" : `${paint.red("- recorded")}\n${paint.green("+ now")}`,
    ...differing.map((one) => showRequest(one, titleOf(one), paint)),
    passed.map((one) => paint.faint(`${titleOf(one)}: ${one.verdict}: ${visibleLine(one.reason ?? "")}`)).join("\n"),
    notes.map((note) => `Note: ${visibleLine(note)}`).join("\n"),
    (count.differ > 0 ? paint.red : paint.green)(sumUp(count)),
  ];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

function sumUp({ requests, same, differ, notCompared, skipped }: Count): string {
  const parts = [
    `${same} the same`,
    ...(differ > 0 ? [`${differ} ${differ === 1 ? "differs" : "differ"}`] : []),
    ...(notCompared > 0 ? [`${notCompared} not compared`] : []),
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
  ];
  return `${requests} ${requests === 1 ? "request" : "requests"}: ${parts.join(", ")}`;
}

function showRequest(request: ReplayedRequest, title: string, paint: Paint): string {
  const hint = request.isRedacted
    ? ["  The recorded request has no secrets; the difference may only be due to that."]
    : [];
  const differences = request.differences.map((one) => showDifference(one, paint));
  return [paint.bold(title), ...hint, ...differences].join("\n");
}

function showDifference({ path, recorded, actual: now }: Difference, paint: Paint): string {
  const lines = diffLines(textOf(recorded), textOf(now))
    .filter(({ sign }) => !(sign === "-" && recorded === undefined) && !(sign === "+" && now === undefined))
    .map(({ sign, text }) => `    ${paint[BRUSHES[sign]](`${sign} ${visible(text)}`)}`);
  return [`  ${visibleLine(path)}`, ...lines].join("\n");
}

/** Multi-line text as it is; everything else as JSON, so that "1" and 1 differ. */
function textOf(value: Json | undefined): string {
  if (typeof value === "string" && value.includes("\n")) return value;
  if (typeof value === "object" && value !== null) return JSON.stringify(value, null, 2);
  return value === undefined ? "" : JSON.stringify(value);
}

/** One line of a text that has changed. */
interface DiffLine {
  readonly sign: "-" | "+" | " ";
  readonly text: string;
}

/** How many lines of context and of changes are shown, and how long a line is. */
const CONTEXT = 2;
const MAX_LINES = 20;
const MAX_LENGTH = 300;

/** The difference of two texts: the lines from the first difference to the last, with context. */
export function diffLines(before: string, after: string): DiffLine[] {
  const [old, young] = [before.split("\n"), after.split("\n")];
  const shorter = Math.min(old.length, young.length);
  let head = 0;
  while (head < shorter && old[head] === young[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && old.at(-1 - tail) === young.at(-1 - tail)) tail += 1;
  const near = (lines: readonly string[]): DiffLine[] => lines.map((text) => ({ sign: " ", text: shorten(text) }));
  return [
    ...near(old.slice(Math.max(0, head - CONTEXT), head)),
    ...changed("-", old.slice(head, old.length - tail), young[head]),
    ...changed("+", young.slice(head, young.length - tail), old[head]),
    ...near(old.slice(old.length - tail, old.length - tail + CONTEXT)),
  ];
}

function changed(sign: "-" | "+", lines: readonly string[], other: string | undefined): DiffLine[] {
  const shown = lines
    .slice(0, MAX_LINES)
    .map((text, at): DiffLine => ({ sign, text: shorten(text, at === 0 ? other : undefined) }));
  const more = lines.length - shown.length;
  return more > 0 ? [...shown, { sign, text: `… and ${more} more lines` }] : shown;
}

/** Shortens a long line to the part that differs from the other line. */
function shorten(line: string, other?: string): string {
  if (line.length <= MAX_LENGTH) return line;
  const same = commonHead(line, other ?? "");
  const from = Math.max(0, Math.min(same - 40, line.length - MAX_LENGTH));
  const part = line.slice(from, from + MAX_LENGTH);
  return `${from > 0 ? "…" : ""}${part}${from + MAX_LENGTH < line.length ? "…" : ""}`;
}

function commonHead(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return length;
}
