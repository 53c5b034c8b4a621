import { defineCommand } from "@toolwright/kit/cli";
import { visibleLine } from "@toolwright/kit/terminal";
import type { CopyGroup, Duplicates } from "../duplicates/find-duplicates.js";
import { count, counted } from "../format.js";
import { noSourceFiles } from "../project/project.js";
import {
  type AnalysisScreen,
  COMMON_OPTIONS,
  DEFAULT_ROWS,
  FILE_OPTIONS,
  formatOption,
  PATH_ARGUMENT,
  ROW_OPTIONS,
  remarks,
  runAnalysis,
  skippedFiles,
} from "./run-analysis.js";

const FORMATS = ["summary", "json", "markdown"] as const;
const MAX_COPIES = 8;

/** `toolwright analyze duplicates` */
export const duplicates = defineCommand({
  name: "duplicates",
  summary: "Find duplicated code",
  tool: "analyze_duplicates",
  args: PATH_ARGUMENT,
  options: {
    minLines: {
      type: "integer",
      min: 1,
      default: 5,
      placeholder: "NUMBER",
      description: "The shortest copy, in lines.",
    },
    minTokens: {
      type: "integer",
      min: 10,
      default: 50,
      placeholder: "NUMBER",
      description: "The shortest copy, in tokens.",
    },
    ...ROW_OPTIONS,
    ...FILE_OPTIONS,
    format: formatOption(FORMATS),
    ...COMMON_OPTIONS,
  },
  run: (input, ctx) =>
    runAnalysis(input, ctx, { formats: FORMATS }, async (screen) => {
      const [{ findDuplicates }, { writeReport }] = await Promise.all([
        import("../duplicates/find-duplicates.js"),
        import("../duplicates/report.js"),
      ]);
      const { analysis, call, path, format } = screen;
      const { include, exclude, minLines, minTokens, limit = input.top } = input;
      const found = await findDuplicates(analysis, call, { path, include, exclude, minLines, minTokens });
      const report = {
        ...found,
        groups: found.groups.slice(0, limit),
        total: found.groups.length,
        skipped: found.skipped.map((file) => `${file.path}: ${file.reason}`),
      };
      if (format === "json") return { text: JSON.stringify(report, null, 2) };
      if (format === "markdown") return { text: writeReport(report, "markdown") };
      return { text: show(screen, found, limit ?? DEFAULT_ROWS) };
    }),
});

function show(screen: AnalysisScreen, found: Duplicates, rows: number): string {
  const { paint, project } = screen;
  const { groups, files, lines, duplicated_lines, percent, unread_tokens } = found;
  const share = `${percent} %`;
  const painted = percent >= 10 ? paint.red(share) : percent >= 3 ? paint.yellow(share) : paint.green(share);
  const left = groups.length - rows;
  const heading = paint.bold(`Duplicates of ${project}`);
  if (files === 0)
    return [
      `${heading}: no files`,
      ...remarks(screen, [noSourceFiles(found.skipped.length)]),
      ...skippedFiles(screen, found.skipped),
    ].join("\n");
  return [
    `${heading}: ${painted} of ${counted(lines, "line")} in ${counted(files, "file")}`,
    `  ${counted(duplicated_lines, "line")} in ${counted(groups.length, "group")} of copies`,
    ...groups.slice(0, rows).flatMap((group, index) => showGroup(screen, group, index)),
    ...(left > 0 ? ["", paint.faint(`and ${counted(left, "more group")}`)] : []),
    ...skippedFiles(screen, found.skipped),
    ...remarks(
      screen,
      unread_tokens === undefined
        ? []
        : [
            `${count(unread_tokens)} tokens were not compared because of the limit. Analyze one folder, or exclude files.`,
          ],
    ),
  ].join("\n");
}

function showGroup({ paint }: AnalysisScreen, { kind, lines, tokens, copies }: CopyGroup, index: number): string[] {
  const left = copies.length - MAX_COPIES;
  return [
    "",
    `${paint.faint(`${index + 1}.`)} ${paint.bold(`${copies.length} × ${counted(lines, "line")}`)} ${paint.faint(`${kind}, ${counted(tokens, "token")}`)}`,
    ...copies.slice(0, MAX_COPIES).map(({ path, line, end_line }) => `   ${visibleLine(path)}:${line}-${end_line}`),
    ...(left > 0 ? [paint.faint(`   and ${left} more`)] : []),
  ];
}
