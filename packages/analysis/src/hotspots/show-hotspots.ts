import { fitToBudget, sizeInJson } from "@toolwright/kit/files";
import { count, counted, escapeInvisible, escapeMarkdown } from "../format.js";
import type { FunctionBrief, HotspotFile, Hotspots, Share } from "./hotspots.js";

/** The part of the hotspots that a result shows. */
export type ShownHotspots = Pick<Hotspots, "briefs" | "remarks" | "basis" | "period_days"> & {
  readonly files: readonly HotspotFile[];
  readonly total: number;
  /** What did not fit. */
  readonly left_out?: string;
};

/** Writes a line for each file, and the briefs of the worst functions. */
export function writeSummary(shown: ShownHotspots): string {
  const { files, briefs, remarks, basis, period_days, total, left_out } = shown;
  const by = basis === "complexity" ? "complexity" : `complexity × churn of ${counted(period_days, "day")}`;
  return [
    total === 0 ? "No files to rank." : `${counted(total, "file")} ranked by ${by}; score 0–100.`,
    ...remarks,
    ...files.map(
      (file, index) =>
        `${index + 1}. ${file.path}: score ${file.score} (complexity ${file.complexity}, ${basis === "complexity" ? "" : `churn ${file.churn}, ${counted(file.commits, "commit")}, `}${counted(file.code_lines, "code line")}${authorsIn(file)})`,
    ),
    ...briefs.flatMap((brief) => ["", ...briefLines(brief)]),
    ...(left_out === undefined ? [] : ["", left_out]),
  ]
    .map(escapeInvisible)
    .join("\n");
}

/** Writes the same as Markdown. */
export function writeMarkdown(shown: ShownHotspots): string {
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
        `| ${index + 1} | ${escapeMarkdown(file.path)} | ${file.score} | ${file.complexity} | ${basis === "complexity" ? "–" : file.churn} | ${file.commits} | ${file.code_lines} | ${file.bus_factor} | ${escapeMarkdown(formatShares(file.authors))} |`,
    ),
    ...briefs.flatMap((brief) => {
      const [title = "", ...lines] = briefLines(brief).map(escapeMarkdown);
      return ["", `## ${title}`, "", ...lines.map((line) => `- ${line}`)];
    }),
    ...(left_out === undefined ? [] : ["", escapeMarkdown(left_out)]),
  ].join("\n");
}

function briefLines(brief: FunctionBrief): readonly string[] {
  const { path, line, end_line, cognitive, cyclomatic, steps, reasons, callers, tests, coupled } = brief;
  const written =
    brief.last_change === undefined
      ? ""
      : `; last change ${brief.last_change}, ${counted(brief.recent_lines ?? 0, "recent line")}`;
  return [
    `${brief.function} in ${path}:${line}–${end_line}: cognitive ${cognitive}, cyclomatic ${cyclomatic}`,
    ...(steps.length === 0 ? [generalAdvice(brief)] : steps.map(({ advice }) => advice)),
    `Points: ${reasons.map(({ reason, times, adds }) => `${adds} from ${times} × ${reason}`).join(", ")}.`,
    `Called in its file: ${callers.map(({ caller, line: at }) => `${caller}:${at}`).join(", ") || "nowhere"}.`,
    `Tests: ${tests.map((test) => `${test.path} (${test.by})`).join(", ") || "none found; write some before changing it"}.`,
    ...(brief.authors.length === 0 ? [] : [`Written by ${formatShares(brief.authors)}${written}.`]),
    ...(coupled.length === 0
      ? []
      : [`Changes together with ${coupled.map((file) => `${file.path} (${file.degree} %)`).join(", ")}.`]),
  ];
}

/** Advice for a function without a part that stands out. */
export function generalAdvice({ cognitive, reasons }: FunctionBrief): string {
  const [most] = reasons;
  if (cognitive <= 15) return "It is not too complex: leave it as it is, or name its longest condition.";
  return `No part stands out: ${most?.adds ?? 0} of ${cognitive} points come from ${JSON.stringify(most?.reason ?? "")}. Return early, name conditions, or replace cases by a table.`;
}

const authorsIn = ({ authors, bus_factor: bus }: HotspotFile): string =>
  authors.length === 0 ? "" : `, ${counted(authors.length, "author")}, bus factor ${bus}`;

const formatShares = (authors: readonly Share[]): string =>
  authors
    .slice(0, 3)
    .map(({ name, share }) => `${name} ${Math.round(share * 100)} %`)
    .join(", ");

/** The size of a result with its text, in bytes, and the share of the files in it. */
const BUDGET = 39_000;
const FILES_SHARE = 0.4;
const MAX_AUTHORS = 5;

/** How much smaller the lists become in each attempt. */
const SHRINK = 0.85;

/** The hotspots that fit into a result. */
export type FittedHotspots = ReturnType<typeof fitTo>;

/** Fits the hotspots into a result, the worst first. The text, made by `write`, contains them once more, so both have to fit. */
export function fitHotspots(found: Hotspots, top: number, write: (fitted: FittedHotspots) => string) {
  for (let budget = BUDGET; ; budget *= SHRINK) {
    const value = fitTo(found, top, budget);
    const text = write(value);
    if (sizeInJson(value) + sizeInJson(text) <= BUDGET || value.files.length + value.briefs.length <= 2)
      return { value, text };
  }
}

function fitTo(found: Hotspots, top: number, budget: number) {
  const { basis, period_days, is_shallow, remarks, skipped } = found;
  const wanted = found.files.slice(0, top);
  const files: HotspotFile[] = fitToBudget(
    wanted.map((file) => ({ ...file, authors: file.authors.slice(0, MAX_AUTHORS) })),
    budget * FILES_SHARE,
  );
  const briefs: FunctionBrief[] = fitToBudget([...found.briefs], budget * (1 - FILES_SHARE));
  const left = [
    ...(files.length < wanted.length ? [`files ${files.length + 1} to ${wanted.length}`] : []),
    ...(briefs.length < found.briefs.length ? [`${count(found.briefs.length - briefs.length)} briefs`] : []),
  ];
  return {
    basis,
    period_days,
    total: found.files.length,
    files,
    briefs,
    ...(left.length > 0 && {
      left_out: `Left out to limit the size: ${left.join(" and ")}. Analyze fewer files to see them.`,
    }),
    is_shallow,
    remarks: [...remarks],
    skipped: skipped.length,
  };
}
