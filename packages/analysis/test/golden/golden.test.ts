import { readdir, readFile } from "node:fs/promises";
import { LANGUAGES, type Language, parseSource } from "@toolwright/kit/syntax";
import { describe, expect, test } from "vitest";
import { measure } from "../../src/metrics/measure.js";
import type { FunctionMeasures, Increment } from "../../src/metrics/measures.js";

/** A function of the corpus, with the numbers that follow from the definitions and those that other programs give. */
interface Expected extends Pick<FunctionMeasures, (typeof NUMBERS)[number] | "name"> {
  readonly file: string;
  /** Every increment, such as "4 cyclomatic if" or "5 cognitive for +2": the line, the metric, the reason, and how much it adds. */
  readonly working: readonly string[];
  readonly judges: Readonly<Record<string, Partial<Record<"cyclomatic" | "cognitive", number>>>>;
  /** Why a judge differs; needed where one does. */
  readonly note?: string;
}

interface Golden {
  /** The judges that were run, with their versions. */
  readonly tools: Readonly<Record<string, string>>;
  readonly functions: readonly Expected[];
}

const NUMBERS = ["line", "end_line", "cyclomatic", "cognitive", "nesting", "parameters"] as const;
const WELL_COVERED: ReadonlySet<Language> = new Set(["typescript", "python", "rust", "go", "java"] as const);

describe.each(Object.keys(LANGUAGES) as Language[])("%s", (language) => {
  test("gives the numbers of the definitions, with their working", async () => {
    const { functions } = await readGolden(language);
    expect(await measureCorpus(language)).toEqual(
      functions.map((each) => ({ ...pick(each), file: each.file, working: each.working.toSorted() })).toSorted(byPlace),
    );
  });

  test("says why, where a judge differs", async () => {
    const { functions, tools } = await readGolden(language);
    const unexplained = functions.filter(({ note, judges, ...ours }) =>
      Object.values(judges).some(
        ({ cyclomatic = ours.cyclomatic, cognitive = ours.cognitive }) =>
          note === undefined && (cyclomatic !== ours.cyclomatic || cognitive !== ours.cognitive),
      ),
    );
    expect(unexplained.map(({ file, name }) => `${file} ${name}`)).toEqual([]);
    const unnamed = functions.flatMap(({ judges }) => Object.keys(judges)).filter((judge) => !(judge in tools));
    expect(unnamed).toEqual([]);
  });

  test("has enough functions", async () => {
    const { functions } = await readGolden(language);
    expect(functions.length).toBeGreaterThanOrEqual(WELL_COVERED.has(language) ? 40 : 12);
  });
});

const readGolden = async (language: Language): Promise<Golden> =>
  JSON.parse(await readFile(new URL(`expected/${language}.json`, import.meta.url), "utf8")) as Golden;

async function measureCorpus(language: Language) {
  const folder = new URL(`corpus/${language}/`, import.meta.url);
  const found = [];
  for (const file of (await readdir(folder)).toSorted()) {
    using tree = await parseSource(language, await readFile(new URL(file, folder), "utf8"));
    const { functions, error_line } = measure(tree);
    expect({ file, error_line }).toEqual({ file, error_line: undefined });
    for (const each of functions) found.push({ ...pick(each), file, working: each.increments.map(write).toSorted() });
  }
  return found.toSorted(byPlace);
}

const pick = (from: Pick<FunctionMeasures, (typeof NUMBERS)[number] | "name">) => ({
  name: from.name,
  ...Object.fromEntries(NUMBERS.map((number) => [number, from[number]])),
});

const write = ({ line, metric, reason, adds }: Increment): string =>
  metric === "cyclomatic" ? `${line} cyclomatic ${reason}` : `${line} cognitive ${reason} +${adds}`;

const byPlace = (one: { file: string; name: string; line?: number }, other: typeof one): number =>
  one.file.localeCompare(other.file) || (one.line ?? 0) - (other.line ?? 0) || one.name.localeCompare(other.name);
