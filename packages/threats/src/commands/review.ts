import { readFile } from "node:fs/promises";
import { text as readAll } from "node:stream/consumers";
import { choiceOf, Failure, numberOf, UsageError } from "@toolwright/kit/cli";
import { SEVERITIES } from "../format/pattern.js";
import type { Review } from "../review/review.js";
import type { FullReview } from "../review/run-review.js";
import { runReview } from "../review/run-review.js";
import { toSarif } from "../review/sarif.js";
import type { Bench, Deed } from "./deed.js";
import { drawReview } from "./draw-review.js";
import { toJson } from "./say.js";

const EVERYTHING = { limit: 100_000, perPattern: 100_000 } as const;

/** `toolwright threats review`: which checks are not visible in what has changed, or in files. */
export const review: Deed = {
  takes: ["--diff", "--base", "--language", "--category", "--severity", "--fail-on", "--limit", "--quiet"],
  formats: ["text", "json", "sarif"],
  words: [0, Number.POSITIVE_INFINITY],
  async run(bench) {
    const { options, format } = bench;
    const failOn = choiceOf(options, "--fail-on", SEVERITIES);
    const severity = choiceOf(options, "--severity", SEVERITIES);
    const most = numberOf(options, "--limit", 1, EVERYTHING.limit) ?? 30;
    const found = await look(bench, severity);
    const hasFailed = failOn !== undefined && isWorse(found, failOn);
    if (format === "json") return { text: toJson(found), remarks: found.notes, hasFailed };
    if (format === "sarif")
      return { text: toJson(toSarif(found.patterns, bench.version)), remarks: found.notes, hasFailed };
    return { text: drawReview(found, bench, most), remarks: found.notes, hasFailed };
  },
};

async function look(bench: Bench, severity: string | undefined): Promise<FullReview> {
  const { desk, call, options, words, onProgress } = bench;
  const [given] = options["--diff"] ?? [];
  const [base] = options["--base"] ?? [];
  if ([given !== undefined, base !== undefined, words.length > 0].filter(Boolean).length > 1)
    throw new UsageError("files, --diff and --base exclude each other");
  if (base?.startsWith("-")) throw new UsageError(`--base ${base} is no branch or commit`);
  const scope = { language: options["--language"]?.[0], category: options["--category"]?.[0], severity };
  const reviewOptions = { ...EVERYTHING, signal: call.signal, onProgress };
  const run = async (what: Parameters<typeof runReview>[1], reach = () => desk.reach(call)): Promise<FullReview> => {
    const { fragments: _pieces, ...found } = await runReview(desk.library, { ...scope, ...what }, reviewOptions, reach);
    return found;
  };
  if (words.length > 0) return run({ files: words });
  if (given !== undefined) return run({ diff: await readGiven(given) });
  const { readWorkingDiff } = await import("../review/working-diff.js");
  const { diff, reach } = await readWorkingDiff(await desk.reach(call), call, base);
  return run({ diff }, async () => reach);
}

async function readGiven(given: string): Promise<string> {
  if (given === "-") return readAll(process.stdin);
  return readFile(given, "utf8").catch((error: Error) => {
    throw new Failure(`Cannot read ${given}: ${error.message}`, 2, error);
  });
}

/** Whether something was found that is as bad as that; what is only likely elsewhere does not count. */
const isWorse = ({ patterns }: Review, severity: (typeof SEVERITIES)[number]): boolean =>
  patterns.some(
    (pattern) =>
      SEVERITIES.indexOf(pattern.severity) <= SEVERITIES.indexOf(severity) &&
      pattern.findings.some(({ confidence }) => confidence !== "low"),
  );
