import { visibleLine, visibleName } from "@toolwright/kit/terminal";
import type { Finding, FoundPattern } from "../review/review.js";
import type { FullReview } from "../review/run-review.js";
import type { Bench } from "./deed.js";
import { indent, labelled, paintSeverity } from "./say.js";

/** How many places of one pattern are shown without --verbose. */
const PER_PATTERN = 5;

/** A review for a person: the worst first, at most so many places. */
export function drawReview(found: FullReview, bench: Bench, most: number): string {
  const { paint } = bench;
  const { files, findings, patterns, consider } = found;
  const inFiles = `${files} file${files === 1 ? "" : "s"}`;
  const counted = `${findings} finding${findings === 1 ? "" : "s"} in ${inFiles}`;
  const blocks: string[] = [];
  let room = most;
  let hidden = 0;
  for (const pattern of patterns) {
    const shown = pattern.findings.slice(0, Math.min(room, bench.isVerbose ? room : PER_PATTERN));
    room -= shown.length;
    hidden += pattern.count - shown.length;
    if (shown.length > 0) blocks.push(drawPattern(pattern, shown, bench));
  }
  return [
    findings === 0
      ? paint.green(files === 0 ? "Nothing to look at" : `Nothing found in ${inFiles}`)
      : paint.bold(counted),
    ...blocks,
    ...(hidden > 0 ? [paint.faint(`${hidden} more are not shown; --verbose and --limit show them`)] : []),
    ...(consider.length === 0
      ? []
      : [
          [
            paint.bold("May apply too"),
            ...consider.map(({ id, name, because }) =>
              indent(`${id}  ${visibleLine(name)} ${paint.faint(`(by ${because})`)}`),
            ),
          ].join("\n"),
        ]),
  ].join("\n\n");
}

function drawPattern(pattern: FoundPattern, shown: readonly Finding[], bench: Bench): string {
  const { paint } = bench;
  const { id, name, severity, check, fix, cwe } = pattern;
  return [
    `${paintSeverity(paint, severity)}  ${paint.bold(id)}  ${paint.bold(visibleLine(name))}${cwe.length === 0 ? "" : paint.faint(`  ${cwe.join(", ")}`)}`,
    labelled(bench, "check", check),
    labelled(bench, "fix", fix),
    ...shown.flatMap(({ file, line, text, function: section, missing, confidence, context_cut: isCut }) => [
      "",
      indent(
        `${paint.cyan(`${visibleName(file)}:${line}`)}${section === undefined ? "" : ` in ${visibleName(section)}`}  ${paint.faint(`${confidence}${isCut ? ", the function is cut" : ""}`)}`,
      ),
      indent(`${visibleLine(missing)}:`, "    "),
      indent(visibleLine(text), "      "),
    ]),
  ].join("\n");
}
