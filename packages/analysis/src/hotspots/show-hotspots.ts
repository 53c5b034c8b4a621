import { fitToBudget, sizeInJson } from "@toolwright/kit/files";
import { counted, escapeInvisible, escapeMarkdown } from "../format.js";
import type { FunctionBrief, HotspotFile, Hotspots, Share } from "./hotspots.js";

/** The part of the hotspots that a result shows. */
export type ShownHotspots = Pick<Hotspots, "briefs" | "remarks" | "basis" | "period_days"> & {
  readonly files: readonly HotspotFile[];
  readonly total: number;
  /** What there was no room for. */
  readonly left_out?: string;
};

/** The worst files a line each, then what to do about the worst functions. */
export function summariseHotspots(shown: ShownHotspots): string {
  const { files, briefs, remarks, basis, period_days, total, left_out } = shown;
  const by = basis === "complexity" ? "complexity" : `complexity × churn of ${counted(period_days, "day")}`;
  return [
    total === 0 ? "No files to rank." : `${counted(total, "file")} ranked by ${by}; score 0–100.`,
    ...remarks,
    ...files.map(
      (file, index) =>
        `${index + 1}. ${file.path}: score ${file.score} (complexity ${file.complexity}, ${basis === "complexity" ? "" : `churn ${file.churn}, ${counted(file.commits, "commit")}, `}${counted(file.code_lines, "code line")}${of(file)})`,
    ),
    ...briefs.flatMap((brief) => ["", ...briefLines(brief)]),
    ...(left_out === undefined ? [] : ["", left_out]),
  ]
    .map(escapeInvisible)
    .join("\n");
}

/** The same as a page for people. */
export function describeHotspots(shown: ShownHotspots): string {
  const { files, briefs, remarks, basis, period_days, total, left_out } = shown;
  return [
    "# Hotspots",
    "",
    `${counted(total, "file")}, by ${basis}${basis === "complexity" ? "" : ` of ${counted(period_days, "day")}`}.`,
    ...remarks.flatMap((remark) => ["", escapeMarkdown(remark)]),
    "",
    "| # | file | score | complexity | churn | commits | code lines | bus factor | authors |",
    "|---:|---|---:|---:|---:|---:|---:|---:|---|",
    ...files.map(
      (file, index) =>
        `| ${index + 1} | ${escapeMarkdown(file.path)} | ${file.score} | ${file.complexity} | ${basis === "complexity" ? "–" : file.churn} | ${file.commits} | ${file.code_lines} | ${file.bus_factor} | ${escapeMarkdown(shares(file.authors))} |`,
    ),
    ...briefs.flatMap((brief) => {
      const [title = "", ...lines] = briefLines(brief).map(escapeMarkdown);
      return ["", `## ${title}`, "", ...lines.map((line) => `- ${line}`)];
    }),
    ...(left_out === undefined ? [] : ["", escapeMarkdown(left_out)]),
  ].join("\n");
}

/** What somebody who is to take a function apart is told. */
function briefLines(brief: FunctionBrief): readonly string[] {
  const { path, line, end_line, cognitive, cyclomatic, steps, reasons, callers, tests, coupled } = brief;
  const written =
    brief.last_change === undefined
      ? ""
      : `; last change ${brief.last_change}, ${counted(brief.recent_lines ?? 0, "recent line")}`;
  return [
    `${brief.function} in ${path}:${line}–${end_line}: cognitive ${cognitive}, cyclomatic ${cyclomatic}`,
    ...(steps.length === 0 ? [flatAdvice(brief)] : steps.map(({ advice }) => advice)),
    `Points: ${reasons.map(({ reason, times, adds }) => `${adds} from ${times} × ${reason}`).join(", ")}.`,
    `Called in the file: ${callers.map(({ caller, line: at }) => `${caller}:${at}`).join(", ") || "nowhere"}.`,
    `Tests: ${tests.map((test) => `${test.path} (${test.by})`).join(", ") || "none found; write some before it is changed"}.`,
    ...(brief.authors.length === 0 ? [] : [`Written by ${shares(brief.authors)}${written}.`]),
    ...(coupled.length === 0
      ? []
      : [`Changes together with ${coupled.map((file) => `${file.path} (${file.degree} %)`).join(", ")}.`]),
  ];
}

/** What helps where no part stands out: what the points come from says it. */
export function flatAdvice({ cognitive, reasons }: FunctionBrief): string {
  const [most] = reasons;
  if (cognitive <= 15) return "It is not too complex for one function: leave it, or give its longest condition a name.";
  return `No part of it stands out: ${most?.adds ?? 0} of ${cognitive} come from ${JSON.stringify(most?.reason ?? "")}. Return early, give conditions names, or put cases into a table.`;
}

const of = ({ authors, bus_factor: bus }: HotspotFile): string =>
  authors.length === 0 ? "" : `, ${counted(authors.length, "author")}, bus factor ${bus}`;

const shares = (authors: readonly Share[]): string =>
  authors
    .slice(0, 3)
    .map(({ name, share }) => `${name} ${Math.round(share * 100)} %`)
    .join(", ");

/** How many bytes a result may have with all that is said in it, and how those of the lists are shared out. */
const ROOM = 39_000;
const FILES_PART = 0.4;
const MOST_AUTHORS = 5;

/** How much smaller the lists are made at each turn. */
const LESS = 0.85;

/** What the tool gives. */
export type CutHotspots = ReturnType<typeof cutTo>;

/**
 * As much of the hotspots as a result has room for, the worst first; says what to ask where something is left out. The same is
 * said once more as text, by `show`, so both have to fit.
 */
export function cutHotspots(found: Hotspots, top: number, show: (cut: CutHotspots) => string) {
  for (let room = ROOM; ; room *= LESS) {
    const value = cutTo(found, top, room);
    const text = show(value);
    if (sizeInJson(value) + sizeInJson(text) <= ROOM || value.files.length + value.briefs.length <= 2)
      return { value, text };
  }
}

function cutTo(found: Hotspots, top: number, room: number) {
  const { basis, period_days, is_shallow, remarks, skipped } = found;
  const wanted = found.files.slice(0, top);
  const files: HotspotFile[] = fitToBudget(
    wanted.map((file) => ({ ...file, authors: file.authors.slice(0, MOST_AUTHORS) })),
    room * FILES_PART,
  );
  const briefs: FunctionBrief[] = fitToBudget([...found.briefs], room * (1 - FILES_PART));
  const left = [
    ...(files.length < wanted.length ? [`files ${files.length + 1} to ${wanted.length}: narrow include`] : []),
    ...(briefs.length < found.briefs.length ? [`${found.briefs.length - briefs.length} briefs: narrow include`] : []),
  ];
  return {
    basis,
    period_days,
    total: found.files.length,
    files,
    briefs,
    ...(left.length > 0 && { left_out: `There was no room for ${left.join("; ")}.` }),
    is_shallow,
    remarks: [...remarks],
    skipped: skipped.length,
  };
}
