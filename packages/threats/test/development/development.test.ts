import { readFileSync } from "node:fs";
import path from "node:path";
import type { JsonObject } from "@toolwright/engine";
import { describe, expect, test } from "vitest";
import { corpusFiles } from "../corpus-files.js";
import { openBench } from "../kit.js";

interface Query {
  readonly context: string;
  readonly language?: string;
  /** The patterns that must be among the first three. */
  readonly must: readonly string[];
  /** All patterns that a security engineer would accept there. */
  readonly relevant: readonly string[];
}

interface Asked {
  readonly queries: readonly Query[];
  readonly nothing: readonly string[];
}

const read = (name: string): Asked => JSON.parse(readFileSync(new URL(name, import.meta.url), "utf8")) as Asked;

const { queries, nothing } = read("queries.json");
/** Written by the author of the ranking, each part before the change that it measures. */
const more = read("more.json");

type Ask = (question: JsonObject) => Promise<readonly string[]>;

/** Queries like an agent, with a budget for three patterns of any length. */
async function openAsk(): Promise<Ask> {
  const { call } = await openBench();
  return async (question) => {
    const answer = await call("tmkb_query", { ...question, verbosity: "agent", token_budget: 20_000 });
    const { patterns = [] } = answer as { readonly patterns?: readonly { readonly id: string }[] };
    return patterns.map(({ id }) => id).slice(0, 3);
  };
}

const countOf = (ids: readonly string[], among: readonly string[]): number =>
  ids.filter((id) => among.includes(id)).length;

const sumOf = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0);

/** Prints the measured quality, not only whether it passes. */
const tell = (what: string, share: number): void =>
  void process.stdout.write(`development: ${what} ${share.toFixed(3)}\n`);

describe("the queries that the ranking was tuned with", () => {
  test("name existing patterns, at least six for each family, without duplicates", () => {
    const ids = corpusFiles().map(({ file }) => path.basename(file, ".yaml"));
    const unknown = queries.flatMap(({ must, relevant }) => [...must, ...relevant]).filter((id) => !ids.includes(id));
    expect(unknown).toEqual([]);
    expect(queries.filter(({ must, relevant }) => countOf(must, relevant) !== must.length)).toEqual([]);
    expect(queries.filter(({ must }) => must.length < 1 || must.length > 2)).toEqual([]);
    const families = [...new Set(ids.map((id) => id.slice(0, -3)))];
    expect(families.length).toBe(15);
    const thin = families.filter((family) => queries.filter(({ must }) => must[0]?.startsWith(family)).length < 6);
    expect(thin).toEqual([]);
    const contexts = [...queries.map(({ context }) => context), ...nothing];
    expect(new Set(contexts).size).toBe(contexts.length);
    expect(queries.length).toBeGreaterThanOrEqual(120);
    expect(nothing.length).toBeGreaterThanOrEqual(40);
  });

  test.each([
    ["of somebody who did not know the triggers", queries],
    ["of whoever tuned the ranking", more.queries],
  ])("%s find what they must among the first three, and little else", async (whose, asked) => {
    const ask = await openAsk();
    const found = await Promise.all(
      asked.map(async ({ context, language, must, relevant }) => {
        const ids = await ask(language === undefined ? { context } : { context, language });
        return { returned: ids.length, accepted: countOf(ids, relevant), right: countOf(must, ids), must: must.length };
      }),
    );
    const precision = sumOf(found.map(({ accepted }) => accepted)) / sumOf(found.map(({ returned }) => returned));
    const recall = sumOf(found.map(({ right }) => right)) / sumOf(found.map(({ must }) => must));
    tell(`${whose}, precision@3`, precision);
    tell(`${whose}, recall@3`, recall);
    expect(precision).toBeGreaterThanOrEqual(0.9);
    expect(recall).toBeGreaterThanOrEqual(0.9);
  });

  test.each([
    ["of somebody who did not know the triggers", nothing],
    ["of whoever tuned the ranking", more.nothing],
  ])("%s find nothing where there is nothing to find", async (whose, contexts) => {
    const ask = await openAsk();
    const answers = await Promise.all(contexts.map((context) => ask({ context })));
    const empty = answers.filter((ids) => ids.length === 0).length / answers.length;
    tell(`${whose}, empty where nothing belongs`, empty);
    expect(empty).toBeGreaterThanOrEqual(0.95);
  });
});
