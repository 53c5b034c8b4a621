import { styleText } from "node:util";
import type { Json } from "@toolwright/engine";
import type { Difference, ReplayedRequest, ReplayReport } from "@toolwright/engine/client";
import { visible, visibleLine } from "@toolwright/kit/terminal";
import { diffLines } from "./line-diff.js";

type Style = Parameters<typeof styleText>[0];
type Paint = (style: Style, text: string) => string;

const PAINTS: Readonly<Record<"-" | "+" | " ", Style>> = { "-": "red", "+": "green", " ": "dim" };

/** How many requests went how. */
export interface Count {
  readonly requests: number;
  readonly same: number;
  readonly differ: number;
  readonly notCompared: number;
  readonly skipped: number;
}

/** Counts the requests of a replay by how they went. */
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

/** How a replay went, for people: what differs, what was passed over, and one line that sums it up. */
export function showReplay(replay: ReplayReport, isColoured: boolean): string {
  const paint: Paint = (style, text) => (isColoured ? styleText(style, text, { validateStream: false }) : text);
  const { requests, notes } = replay;
  const count = countOf(replay);
  const isOne = new Set(requests.map(({ session }) => session)).size === 1;
  const titleOf = ({ method, name, session }: ReplayedRequest): string =>
    visibleLine(`${method}${name === undefined ? "" : ` ${name}`}${isOne ? "" : ` (session ${session})`}`);
  const differing = requests.filter(({ verdict }) => verdict === "differs");
  const passed = requests.filter(({ reason }) => reason !== undefined);
  const parts = [
    differing.length === 0 ? "" : `${paint("red", "- recorded")}\n${paint("green", "+ now")}`,
    ...differing.map((one) => showRequest(one, titleOf(one), paint)),
    passed.map((one) => paint("dim", `${titleOf(one)}: ${one.verdict}: ${visibleLine(one.reason ?? "")}`)).join("\n"),
    notes.map((note) => `Note: ${visibleLine(note)}`).join("\n"),
    paint(count.differ > 0 ? "red" : "green", sumUp(count)),
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
    ? ["  Secrets had been taken out of what was sent, so that it may differ for that alone."]
    : [];
  const differences = request.differences.map((one) => showDifference(one, paint));
  return [paint("bold", title), ...hint, ...differences].join("\n");
}

function showDifference({ path, recorded, actual: now }: Difference, paint: Paint): string {
  const lines = diffLines(textOf(recorded), textOf(now))
    .filter(({ sign }) => !(sign === "-" && recorded === undefined) && !(sign === "+" && now === undefined))
    .map(({ sign, text }) => `    ${paint(PAINTS[sign], `${sign} ${visible(text)}`)}`);
  return [`  ${visibleLine(path)}`, ...lines].join("\n");
}

/** Text of several lines as it is; everything else as JSON, so that "1" is not taken for 1. */
function textOf(value: Json | undefined): string {
  if (typeof value === "string" && value.includes("\n")) return value;
  if (typeof value === "object" && value !== null) return JSON.stringify(value, null, 2);
  return value === undefined ? "" : JSON.stringify(value);
}
