import { escapeHtml } from "@toolwright/kit/html";
import { count, counted } from "../figures.js";
import { showScore } from "../heat.js";
import type { Report } from "../report.js";
import { dayOf } from "../trend.js";
import { type Section, wrapPath } from "./section.js";

/** How many skipped files are named one by one. */
const MOST_SKIPPED = 200;

/** The whole in one look: what was looked at, and the few numbers that matter. */
export function summarySection({ hotspots, churn, made }: Report): string {
  const { files, period_days } = hotspots;
  const sum = (of: (file: (typeof files)[number]) => number): number =>
    files.reduce((total, file) => total + of(file), 0);
  const [hottest] = files;
  const from = dayOf(new Date(made.getTime() - period_days * 86_400_000));
  const facts: [string, string][] = [
    ["Files", count(files.length)],
    ["Lines of code", count(sum(({ code_lines }) => code_lines))],
    ["Functions", count(sum(({ functions }) => functions))],
    ["Complexity", count(sum(({ complexity }) => complexity))],
  ];
  if (churn !== undefined) facts.push(["Commits", count(churn.commits)], ["Authors", count(churn.authors.length)]);
  const cards = facts.map(([label, value]) => `<div><dt>${label}</dt><dd>${value}</dd></div>`);
  const period =
    hotspots.basis === "complexity"
      ? "There is no history, so the score is complexity alone."
      : `Changes of ${counted(period_days, "day")}, from ${from} to ${dayOf(made)}.`;
  const first =
    hottest === undefined || hottest.score === 0
      ? ""
      : ` The hottest file is <strong><bdi>${wrapPath(escapeHtml(hottest.path))}</bdi></strong> with a score of ${showScore(hottest.score)}.`;
  return `<p class="lead">${period}${first}</p>\n<dl class="facts">${cards.join("")}</dl>`;
}

/** What a reader must know to read the numbers right, and what is not in them. */
export function remarksSection({ hotspots: { remarks, skipped, tests } }: Report): Section {
  const said = [
    "Complexity is cognitive complexity, the published definition by SonarSource; that of a file is the sum over its functions.",
    "Score = 100 × complexity ÷ (complexity + 50) × churn, where churn is from 0 to 1: six tenths commits and four tenths changed lines, each as part of the most that any file has.",
    ...(tests > 0 ? [`${counted(tests, "test file")} ${tests === 1 ? "is" : "are"} not ranked.`] : []),
    ...remarks,
  ];
  const rows = skipped
    .slice(0, MOST_SKIPPED)
    .map(
      ({ path, reason }) =>
        `<tr><th scope="row"><bdi>${wrapPath(escapeHtml(path))}</bdi></th><td>${escapeHtml(reason)}</td></tr>`,
    );
  const more = skipped.length - rows.length;
  const table =
    rows.length === 0
      ? ""
      : `<details><summary>${counted(skipped.length, "file")} that could not be measured, or only in part</summary><div class="scroll" tabindex="0" role="region" aria-label="Files that could not be measured"><table><thead><tr><th scope="col">File</th><th scope="col">Reason</th></tr></thead><tbody>${rows.join("\n")}</tbody></table></div>${more > 0 ? `<p>And ${count(more)} more.</p>` : ""}</details>`;
  return {
    id: "remarks",
    name: "How to read it",
    html: `<ul class="remarks">${said.map((line) => `<li>${escapeHtml(line)}</li>`).join("")}</ul>${table}`,
  };
}
