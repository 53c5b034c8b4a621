import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

interface Passage {
  readonly source: string;
  readonly heading: string;
}

interface Golden {
  readonly split: string;
  readonly questions: readonly { readonly question: string; readonly relevant: readonly Passage[] }[];
}

const project = fileURLToPath(new URL("../../../../", import.meta.url));

const readGolden = (name: string): Golden =>
  JSON.parse(readFileSync(new URL(`${name}.json`, import.meta.url), "utf8")) as Golden;

const tuning = readGolden("tuning");
const heldOut = readGolden("held-out");
const all = [...tuning.questions, ...heldOut.questions];

/** The headings of a page; what stands in a block of code is none. */
function headingsOf(source: string): readonly string[] {
  if (!existsSync(project + source)) return [];
  const prose = readFileSync(project + source, "utf8").replaceAll(/^ *```[^]*?^ *```$/gm, "");
  return [...prose.matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = ""]) => heading.trim());
}

/** What makes two questions the same: their words. */
const wordsOf = (question: string): string => (question.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(" ");

describe("the golden questions over this project's documentation", () => {
  test("are at least 150, with the split kept apart in two files", () => {
    expect([tuning.split, heldOut.split]).toEqual(["tuning", "held-out"]);
    expect(tuning.questions.length).toBe(85);
    expect(heldOut.questions.length).toBeGreaterThanOrEqual(85);
    expect(all.length).toBeGreaterThanOrEqual(150);
  });

  test("are asked once, over both splits", () => {
    const seen = new Set<string>();
    const twice = all.map(({ question }) => wordsOf(question)).filter((words) => seen.size === seen.add(words).size);
    expect(twice).toEqual([]);
  });

  test("lead to pages and headings that are there, each of them to one place", () => {
    const passages = all.flatMap(({ relevant }) => relevant);
    const headings = new Map(passages.map(({ source }) => [source, headingsOf(source)]));
    const lost = passages.filter(
      ({ source, heading }) => headings.get(source)?.filter((each) => each === heading).length !== 1,
    );
    expect(lost).toEqual([]);
    expect(all.filter(({ relevant }) => relevant.length === 0)).toEqual([]);
  });

  test("cover most pages, and each split covers guides, references and decisions", () => {
    for (const { questions } of [tuning, heldOut]) {
      const sources = new Set(questions.flatMap(({ relevant }) => relevant.map(({ source }) => source)));
      const kinds = ["docs/guides/", "docs/reference/", "docs/decisions/"];
      expect(kinds.filter((kind) => ![...sources].some((source) => source.startsWith(kind)))).toEqual([]);
      expect(sources.size).toBeGreaterThanOrEqual(35);
    }
  });
});
