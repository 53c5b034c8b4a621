import { readFile, stat } from "node:fs/promises";
import { Failure, UsageError } from "@toolwright/kit/cli";
import { visibleLine } from "@toolwright/kit/terminal";
import { formatDiagnostic, type PatternDiagnostic } from "../format/diagnostics.js";
import { createFinderOf, type Validation, validateAll, validateId, validateText } from "../library/validate.js";
import type { Bench, Deed, Result } from "./deed.js";
import { toJson } from "./say.js";

/** `toolwright threats validate`: what is wrong with patterns, with file, line and column; code 1 where something is. */
export const validate: Deed = {
  takes: ["--all"],
  formats: ["text", "json"],
  words: [0, Number.POSITIVE_INFINITY],
  async run(bench) {
    const { words, options } = bench;
    if (options["--all"] !== undefined && words.length > 0)
      throw new UsageError(`threats validate --all takes no "${words[0]}"`);
    const createFinder = createFinderOf(bench.desk.library);
    const { library } = bench.desk;
    const found =
      words.length === 0
        ? [await validateAll(library, createFinder)]
        : await Promise.all(words.map((word) => validateWord(word, bench)));
    return show(bench, {
      files: found.reduce((sum, { files }) => sum + files, 0),
      diagnostics: found.flatMap(({ diagnostics }) => diagnostics),
      queries: found.flatMap(({ queries }) => queries),
    });
  },
};

/** A word is a file where there is one of that name, else an id. */
async function validateWord(word: string, { desk: { library } }: Bench): Promise<Validation> {
  const stats = await stat(word).catch(() => undefined);
  if (stats === undefined && !/[/\\]|\.ya?ml$/i.test(word)) return validateId(word, library, createFinderOf(library));
  if (stats?.isDirectory()) throw new Failure(`${word} is a folder; give it as --patterns ${word} --all`, 2);
  const text = await readFile(word, "utf8").catch((error: Error) => {
    throw new Failure(`Cannot read ${word}: ${error.message}`, 2, error);
  });
  return validateText(text, word, library, createFinderOf(library));
}

function show({ format, paint }: Bench, { files, diagnostics, queries }: Validation): Result {
  const failed = queries.filter(({ passed }) => !passed);
  const errors = diagnostics.filter(({ severity }) => severity === "error").length;
  const hasFailed = errors > 0 || failed.length > 0;
  if (format === "json") {
    const counts = { valid: !hasFailed, files, errors, warnings: diagnostics.length - errors };
    return {
      text: toJson({ ...counts, diagnostics, queries: { passed: queries.length - failed.length, failed } }),
      hasFailed,
    };
  }
  const drawDiagnostic = (diagnostic: PatternDiagnostic): string =>
    (diagnostic.severity === "error" ? paint.red : paint.yellow)(visibleLine(formatDiagnostic(diagnostic)));
  const counted = (value: number, noun: string): string => `${value} ${noun}${value === 1 ? "" : "s"}`;
  const summary = `${counted(files, "pattern")}: ${counted(errors, "error")}, ${counted(diagnostics.length - errors, "warning")}; ${queries.length - failed.length} of ${counted(queries.length, "query").replace(/querys$/, "queries")} pass`;
  return {
    text: [
      ...diagnostics.map(drawDiagnostic),
      ...failed.map(({ id, query, expected, first }) =>
        paint.red(
          visibleLine(
            `${id}: error: the query ${JSON.stringify(query)} ${expected === "found" ? "does not find it among the first three" : "finds it, and must not"}; it finds ${first.join(", ") || "nothing"}`,
          ),
        ),
      ),
      hasFailed ? paint.red(summary) : paint.green(summary),
    ].join("\n"),
    hasFailed,
  };
}
