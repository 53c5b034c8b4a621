import { readFile, stat } from "node:fs/promises";
import { type CommandContext, Failure, UsageError } from "@toolwright/kit/cli";
import { visible, visibleLine } from "@toolwright/kit/terminal";
import { nearest } from "@toolwright/kit/text";
import { formatDiagnostic, type PatternDiagnostic } from "../format/diagnostics.js";
import { type Entry, type Filter, filterValues, type Library } from "../library/library.js";
import { createFinderOf, type Validation, validateAll, validateId, validateText } from "../library/validate.js";
import { toMarkdown } from "../pattern-markdown.js";
import { countDiagnostics, toListItem } from "../tools/results.js";
import {
  type CommandOutput,
  type CommonInput,
  counted,
  labelled,
  paintSeverity,
  type ThreatsSession,
  toJson,
  withThreats,
} from "./with-threats.js";

const FILTERS = ["category", "severity", "tier", "language", "framework"] as const;

/** `toolwright threats list`. */
export const list = (input: CommonInput & Filter, ctx: CommandContext): Promise<void> =>
  withThreats(input, ctx, async (session) => {
    const { library } = session.threats;
    const filter = Object.fromEntries(FILTERS.map((name) => [name, input[name]]));
    const found = await library.list(filter);
    if (found.length === 0) assertKnownValues(await library.list(), filter);
    const notes = (await library.diagnostics()).map(
      ({ file, line, message }) =>
        `${file}:${line}: ${message} The file is ignored; "toolwright threats validate" prints details.`,
    );
    if (session.format === "json") return { text: toJson(found.map(toListItem)), notes };
    const text = found.map((entry) => formatEntry(entry, session)).join("\n");
    return { text: text === "" ? "No matching patterns" : text, notes };
  });

function formatEntry(entry: Entry, session: ThreatsSession): string {
  const { paint, isVerbose } = session;
  const { id, severity, tier, name, agent_summary: summary } = entry;
  const rank = paintSeverity(paint, severity, `[${severity}/${tier}]`.padEnd(12));
  const line = `${paint.bold(id.padEnd(17))}  ${rank}  ${visibleLine(name)}`;
  if (!isVerbose) return line;
  const { languages, origin, file } = toListItem(entry);
  return [
    line,
    labelled(session, "threat", summary.threat),
    labelled(session, "check", summary.check),
    labelled(session, "code", languages.join(", ") || "none"),
    ...(origin === "user" ? [labelled(session, "file", file ?? "")] : []),
    "",
  ].join("\n");
}

/** A value that no pattern has is most likely a typing error. */
function assertKnownValues(all: readonly Entry[], filter: Filter): void {
  for (const name of FILTERS) {
    const value = filter[name];
    const known = filterValues(all, name);
    if (value === undefined || known.includes(value)) continue;
    const meant = nearest(value, known);
    const hint = meant === undefined ? `it must be one of ${known.join(", ")}` : `did you mean ${meant}?`;
    throw new UsageError(`Unknown value "${value}" of --${name}; ${hint}`);
  }
}

/** `toolwright threats show`. */
export const show = (input: CommonInput & { readonly id: readonly string[] }, ctx: CommandContext): Promise<void> =>
  withThreats(input, ctx, async ({ threats, format, paint }) => {
    const patterns = await Promise.all(input.id.map((id) => threats.library.read(id)));
    if (format === "json") return { text: toJson(patterns.length === 1 ? patterns[0] : patterns) };
    const text = visible(patterns.map((pattern) => toMarkdown(pattern)).join("\n\n"));
    return { text: text.replaceAll(/^#+ .*$/gm, (heading) => paint.bold(heading)) };
  });

interface ValidateInput extends CommonInput {
  readonly target: readonly string[];
  readonly all: boolean;
}

/** `toolwright threats validate`. */
export const validate = ({ target, all, ...input }: ValidateInput, ctx: CommandContext): Promise<void> =>
  withThreats(input, ctx, async (session) => {
    if (all && target.length > 0) throw new UsageError("--all cannot be used together with ids or files");
    const { library } = session.threats;
    const found =
      target.length === 0
        ? [await validateAll(library, createFinderOf(library))]
        : await Promise.all(target.map((each) => validateTarget(each, library)));
    return formatValidation(session, {
      files: found.reduce((sum, { files }) => sum + files, 0),
      diagnostics: found.flatMap(({ diagnostics }) => diagnostics),
      queries: found.flatMap(({ queries }) => queries),
    });
  });

/** A target is a file if one of this name exists, else an id. */
async function validateTarget(target: string, library: Library): Promise<Validation> {
  const stats = await stat(target).catch(() => undefined);
  const createFinder = createFinderOf(library);
  if (stats === undefined && !/[/\\]|\.ya?ml$/i.test(target)) return validateId(target, library, createFinder);
  if (stats?.isDirectory()) throw new UsageError(`${target} is a folder; use --patterns ${target}`);
  const text = await readFile(target, "utf8").catch((error: Error) => {
    throw new Failure(`Cannot read ${target}: ${error.message}`, 1, error);
  });
  return validateText(text, target, library, createFinder);
}

function formatValidation(
  { format, paint }: ThreatsSession,
  { files, diagnostics, queries }: Validation,
): CommandOutput {
  const failed = queries.filter(({ passed }) => !passed);
  const { errors, warnings } = countDiagnostics(diagnostics);
  const passed = queries.length - failed.length;
  const hasFailed = errors > 0 || failed.length > 0;
  if (format === "json") {
    const result = { valid: !hasFailed, files, errors, warnings, diagnostics, queries: { passed, failed } };
    return { text: toJson(result), hasFailed };
  }
  const formatProblem = (diagnostic: PatternDiagnostic): string =>
    (diagnostic.severity === "error" ? paint.red : paint.yellow)(visibleLine(formatDiagnostic(diagnostic)));
  const summary = `${counted(files, "pattern")}: ${counted(errors, "error")}, ${counted(warnings, "warning")}; ${passed} of ${counted(queries.length, "query", "queries")} pass`;
  return {
    text: [
      ...diagnostics.map(formatProblem),
      ...failed.map(({ id, query, expected, first }) => {
        const problem = expected === "found" ? "does not find it among the first three" : "must not find it";
        const line = `${id}: error: the query ${JSON.stringify(query)} ${problem}; it finds ${first.join(", ") || "nothing"}`;
        return paint.red(visibleLine(line));
      }),
      hasFailed ? paint.red(summary) : paint.green(summary),
    ].join("\n"),
    hasFailed,
  };
}
