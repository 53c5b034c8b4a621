import { type CommandContext, readNamed, UsageError } from "@toolwright/kit/cli";
import { drawTable, visibleLine, visibleName } from "@toolwright/kit/terminal";
import { SEVERITIES, type Severity } from "../format/pattern.js";
import { type Coverage, readCoverage } from "../review/coverage.js";
import type { ReviewInput } from "../review/inputs.js";
import type { Finding, PatternFindings, Review } from "../review/review.js";
import { type FullReview, runReview } from "../review/run-review.js";
import { toSarif } from "../review/sarif.js";
import {
  type CommonInput,
  counted,
  indent,
  labelled,
  paintSeverity,
  type ThreatsSession,
  toJson,
  withThreats,
} from "./with-threats.js";

const UNLIMITED = { limit: 100_000, perPattern: 100_000 } as const;

interface ReviewCommandInput extends CommonInput {
  readonly path: readonly string[];
  readonly base: string | undefined;
  readonly diff: string | undefined;
  readonly language: string | undefined;
  readonly category: string | undefined;
  readonly severity: Severity | undefined;
  readonly failOn: Severity | undefined;
  readonly limit: number;
}

/** `toolwright threats review`. */
export const review = (input: ReviewCommandInput, ctx: CommandContext): Promise<void> =>
  withThreats(input, ctx, async (session) => {
    const { threats, format } = session;
    const { language, category, severity, failOn } = input;
    const call = { signal: ctx.signal, supports: () => false, roots: async () => [] };
    const access = await threats.files.accessFor(call);
    const source = await readSource(input, async (base) => {
      const { readWorkingDiff } = await import("../review/working-diff.js");
      return readWorkingDiff(access, call, base);
    });
    const options = { ...UNLIMITED, signal: ctx.signal, onProgress: ctx.onProgress };
    const scope = { language, category, severity };
    const { fragments: _fragments, ...found } = await runReview(
      threats.library,
      { ...scope, ...source },
      options,
      async () => access,
    );
    const result = { notes: found.notes, hasFailed: failOn !== undefined && hasSevere(found, failOn) };
    if (format === "json") return { text: toJson(found), ...result };
    if (format === "sarif") return { text: toJson(toSarif(found.patterns, ctx.version)), ...result };
    return { text: formatReview(found, session, input.limit), ...result };
  });

async function readSource(
  { path: files, diff, base }: ReviewCommandInput,
  readChanges: (base: string | undefined) => Promise<ReviewInput>,
): Promise<ReviewInput> {
  if (files.length > 0 && (diff !== undefined || base !== undefined))
    throw new UsageError("PATH cannot be used together with --diff and --base");
  if (base?.startsWith("-")) throw new UsageError(`--base must be a branch or commit, not "${base}"`);
  if (files.length > 0) return { files };
  return diff === undefined ? readChanges(base) : { diff: await readNamed(diff) };
}

/** Whether there is a finding of this severity or worse, with at least medium confidence. */
const hasSevere = ({ patterns }: Review, severity: Severity): boolean =>
  patterns.some(
    (pattern) =>
      SEVERITIES.indexOf(pattern.severity) <= SEVERITIES.indexOf(severity) &&
      pattern.findings.some(({ confidence }) => confidence !== "low"),
  );

/** How many findings of one pattern are printed without `--verbose`. */
const PER_PATTERN = 5;

function formatReview(found: FullReview, session: ThreatsSession, limit: number): string {
  const { paint, isVerbose } = session;
  const { files, findings, patterns, consider } = found;
  const inFiles = counted(files, "file");
  const blocks: string[] = [];
  let room = limit;
  let hidden = 0;
  for (const pattern of patterns) {
    const shown = pattern.findings.slice(0, Math.min(room, isVerbose ? room : PER_PATTERN));
    room -= shown.length;
    hidden += pattern.count - shown.length;
    if (shown.length > 0) blocks.push(formatFindings(pattern, shown, session));
  }
  const suggestions = consider.map(({ id, name, because }) =>
    indent(`${id}  ${visibleLine(name)} ${paint.faint(`(because of ${because})`)}`),
  );
  return [
    findings === 0
      ? paint.green(files === 0 ? "Nothing to review" : `No findings in ${inFiles}`)
      : paint.bold(`${counted(findings, "finding")} in ${inFiles}`),
    ...blocks,
    ...(hidden > 0 ? [paint.faint(`${hidden} more; use --verbose and --limit to show them`)] : []),
    ...(suggestions.length === 0 ? [] : [[paint.bold("May also apply"), ...suggestions].join("\n")]),
  ].join("\n\n");
}

function formatFindings(pattern: PatternFindings, shown: readonly Finding[], session: ThreatsSession): string {
  const { paint } = session;
  const { id, name, severity, check, fix, cwe } = pattern;
  const references = cwe.length === 0 ? "" : paint.faint(`  ${cwe.join(", ")}`);
  return [
    `${paintSeverity(paint, severity)}  ${paint.bold(id)}  ${paint.bold(visibleLine(name))}${references}`,
    labelled(session, "check", check),
    labelled(session, "fix", fix),
    ...shown.flatMap(({ file, line, text, function: section, missing, confidence, context_cut: isCut }) => {
      const place = paint.cyan(`${visibleName(file)}:${line}`);
      const where = section === undefined ? "" : ` in ${visibleName(section)}`;
      const note = paint.faint(`${confidence} confidence${isCut ? ", function shown in part" : ""}`);
      return [
        "",
        indent(`${place}${where}  ${note}`),
        indent(`${visibleLine(missing)}:`, "    "),
        indent(visibleLine(text), "      "),
      ];
    }),
  ].join("\n");
}

interface CoverageInput extends CommonInput {
  readonly path: string | undefined;
  readonly limit: number;
}

/** `toolwright threats coverage`. */
export const coverage = (input: CoverageInput, ctx: CommandContext): Promise<void> =>
  withThreats(input, ctx, async (session) => {
    const { threats, format } = session;
    const { path = ".", limit } = input;
    const { signal, onProgress } = ctx;
    const access = await threats.files.accessFor({ signal, supports: () => false, roots: async () => [] });
    const found = await readCoverage(threats.library, access, { path, limit, signal, onProgress });
    return { text: format === "json" ? toJson(found) : formatCoverage(found, session), notes: found.notes };
  });

function formatCoverage({ files, families, untouched }: Coverage, { paint, width, isVerbose }: ThreatsSession): string {
  const style = { width, head: paint.faint };
  const table = drawTable(
    [
      { name: "family", text: ({ family }) => family },
      { name: "patterns", text: ({ patterns }) => String(patterns.length), isNumber: true },
      { name: "files", text: (each) => String(each.files), isNumber: true },
      { name: "lines", text: ({ lines }) => String(lines), isNumber: true },
      { name: "unchecked", text: ({ unchecked }) => String(unchecked), isNumber: true },
    ],
    families,
    style,
  );
  const details = families.flatMap(({ family, patterns }) => [
    "",
    paint.bold(visibleLine(family)),
    drawTable(
      [
        { name: "pattern", text: ({ id }) => id },
        {
          name: "severity",
          text: ({ severity }) => severity,
          paint: (text, { severity }) => paintSeverity(paint, severity, text),
        },
        { name: "lines", text: ({ lines }) => String(lines), isNumber: true },
        { name: "unchecked", text: ({ unchecked }) => String(unchecked), isNumber: true },
        { name: "first", text: ({ places }) => places[0] ?? "", gives: "path" },
        { name: "name", text: ({ name }) => name, gives: "words" },
      ],
      patterns,
      style,
    ),
  ]);
  return [
    paint.bold(`${counted(files, "file")} scanned`),
    ...(families.length === 0 ? [] : ["", table]),
    ...(isVerbose ? details : []),
    ...(untouched.length === 0 ? [] : ["", `Not affected: ${untouched.join(", ")}`]),
    ...(isVerbose ? [] : [paint.faint("use --verbose to list the patterns and places")]),
  ].join("\n");
}
