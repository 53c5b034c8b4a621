import { numberOf } from "@toolwright/kit/cli";
import { visible, visibleLine } from "@toolwright/kit/terminal";
import { counted } from "../format.js";
import type { Check, Gate } from "../gate/checks.js";
import { runGate } from "../gate/run-gate.js";
import type { Deed, Desk } from "./deed.js";
import { MOST_DAYS, percentOf } from "./options.js";
import { forPeople } from "./words.js";

/** `toolwright analyze gate`: one verdict; the process ends with code 1 where it is no. */
export const gate: Deed = {
  takes: [
    "--include",
    "--exclude",
    "--max-cyclomatic",
    "--max-cognitive",
    "--max-duplication",
    "--max-severe-notes",
    "--max-hotspot",
    "--days",
    "--baseline",
  ],
  formats: ["summary", "json", "markdown"],
  async run(desk) {
    const { analysis, call, path, options, format } = desk;
    const found = await runGate(analysis, call, {
      path,
      max_cyclomatic: numberOf(options, "--max-cyclomatic", 0) ?? 20,
      max_cognitive: numberOf(options, "--max-cognitive", 0) ?? 30,
      max_duplication: percentOf(options, "--max-duplication") ?? 5,
      max_severe_notes: numberOf(options, "--max-severe-notes", 0),
      max_hotspot: percentOf(options, "--max-hotspot"),
      period_days: numberOf(options, "--days", 1, MOST_DAYS),
      baseline: options["--baseline"]?.[0],
      include: options["--include"],
      exclude: options["--exclude"],
    });
    const hasFailed = !found.passed;
    if (format === "json") return { text: JSON.stringify(found, null, 2), hasFailed };
    if (format === "markdown") return { text: toMarkdown(desk, found), hasFailed };
    return { text: show(desk, found), hasFailed };
  },
};

function show({ paint, project }: Desk, { passed, checks }: Gate): string {
  const failed = checks.filter((check) => !check.passed).length;
  const verdict = passed ? paint.green("passed") : paint.red(`failed: ${failed} of ${counted(checks.length, "check")}`);
  return [
    `${paint.bold(`Quality gate of ${project}`)}: ${verdict}`,
    "",
    ...checks.flatMap((check) => [
      `${check.passed ? paint.green("✔") : paint.red("✖")} ${forPeople(visible(check.reason))}`,
      ...(check.passed ? [] : showWorst(check).map((line) => paint.faint(`    ${line}`))),
      ...(check.advice === undefined ? [] : [`    ${paint.cyan("→")} ${forPeople(visible(check.advice))}`]),
    ]),
  ].join("\n");
}

const showWorst = ({ worst }: Check): string[] => {
  const width = Math.max(0, ...worst.map(({ value }) => String(value).length));
  return worst.map(({ path, line, name, value }) =>
    visibleLine(
      `${String(value).padStart(width)}  ${path}${line === undefined ? "" : `:${line}`}${name === undefined ? "" : `  ${name}`}`,
    ),
  );
};

function toMarkdown({ project }: Desk, { passed, checks }: Gate): string {
  return [
    `# Quality gate of ${cell(project)}: ${passed ? "passed" : "failed"}`,
    "",
    "| check | verdict | value | limit | reason |",
    "|---|---|---:|---:|---|",
    ...checks.map(
      (check) =>
        `| ${check.name} | ${check.passed ? "passed" : "**failed**"} | ${check.value} | ${check.limit} | ${cell(`${check.reason} ${check.advice ?? ""}`.trim())} |`,
    ),
  ].join("\n");
}

/** Text that stays inside its cell of a table. */
const cell = (text: string): string =>
  forPeople(text)
    .replaceAll(/[\r\n]+/g, " ")
    .replaceAll("|", "\\|");
