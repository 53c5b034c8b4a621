import { numberOf } from "@toolwright/kit/cli";
import { visibleLine } from "@toolwright/kit/terminal";
import { type CopyGroup, type Duplicates, findDuplicates } from "../duplicates/find-duplicates.js";
import { writeReport } from "../duplicates/report.js";
import { count, counted } from "../format.js";
import { nothingFound } from "../project/project.js";
import type { Deed, Desk } from "./deed.js";
import { remarks, skippedFiles, USUAL_ROWS } from "./view.js";

/** `toolwright analyze duplicates`: code that is there more than once. */
export const duplicates: Deed = {
  takes: ["--include", "--exclude", "--min-lines", "--min-tokens", "--top"],
  formats: ["summary", "json", "markdown"],
  async run(desk) {
    const { analysis, call, path, options, format } = desk;
    const top = numberOf(options, "--top", 1);
    const found = await findDuplicates(analysis, call, {
      path,
      include: options["--include"],
      exclude: options["--exclude"],
      minLines: numberOf(options, "--min-lines", 1),
      minTokens: numberOf(options, "--min-tokens", 10),
    });
    const report = {
      ...found,
      groups: found.groups.slice(0, top),
      total: found.groups.length,
      skipped: found.skipped.map((file) => `${file.path}: ${file.reason}`),
    };
    if (format === "json") return { text: JSON.stringify(report, null, 2) };
    if (format === "markdown") return { text: writeReport(report, "markdown") };
    return { text: show(desk, found, top ?? USUAL_ROWS) };
  },
};

function show(desk: Desk, found: Duplicates, top: number): string {
  const { paint, project } = desk;
  const { groups, files, lines, duplicated_lines, percent, unread_tokens } = found;
  const share = `${percent} %`;
  const painted = percent >= 10 ? paint.red(share) : percent >= 3 ? paint.yellow(share) : paint.green(share);
  const left = groups.length - top;
  const heading = paint.bold(`Duplicates of ${project}`);
  if (files === 0)
    return [
      `${heading}: no file was looked at`,
      ...remarks(desk, [nothingFound(found.skipped.length)]),
      ...skippedFiles(desk, found.skipped),
    ].join("\n");
  return [
    `${heading}: ${painted} of ${counted(lines, "line")} in ${counted(files, "file")}`,
    `  ${counted(duplicated_lines, "line")} in ${counted(groups.length, "group")} of copies`,
    ...groups.slice(0, top).flatMap((group, index) => showGroup(desk, group, index)),
    ...(left > 0 ? ["", paint.faint(`and ${counted(left, "more group")}`)] : []),
    ...skippedFiles(desk, found.skipped),
    ...remarks(
      desk,
      unread_tokens === undefined
        ? []
        : [`${count(unread_tokens)} tokens were too many to compare: look at one folder, or give --exclude.`],
    ),
  ].join("\n");
}

function showGroup({ paint }: Desk, { kind, lines, tokens, copies }: CopyGroup, index: number): string[] {
  const places = copies.slice(0, 8).map(({ path, line, end_line }) => `   ${visibleLine(path)}:${line}-${end_line}`);
  const left = copies.length - places.length;
  return [
    "",
    `${paint.faint(`${index + 1}.`)} ${paint.bold(`${copies.length} × ${counted(lines, "line")}`)} ${paint.faint(`${kind}, ${counted(tokens, "token")}`)}`,
    ...places,
    ...(left > 0 ? [paint.faint(`   and ${left} more`)] : []),
  ];
}
