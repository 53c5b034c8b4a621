import { readFileSync } from "node:fs";
import path from "node:path";
import type { JsonObject } from "@toolwright/engine";
import { describe, expect, test } from "vitest";
import { corpusFiles } from "../corpus-files.js";
import { openBench } from "../kit.js";

/** What an agent asks before it writes code. */
interface ThreatQuery {
  readonly context: string;
  readonly language?: string;
  readonly framework?: string;
}

interface Query extends ThreatQuery {
  /** What has to be among the first three. */
  readonly must: readonly string[];
  /** All that a security engineer would accept there. */
  readonly relevant: readonly string[];
}

const { queries, nothing } = JSON.parse(readFileSync(new URL("queries.json", import.meta.url), "utf8")) as {
  readonly queries: readonly Query[];
  readonly nothing: readonly string[];
};

type Ask = (question: ThreatQuery) => Promise<readonly string[]>;

/** Asks as an agent does, with room for three patterns whatever their length. */
async function openAsk(): Promise<Ask> {
  const { call } = await openBench();
  return async (question) => {
    const asked: JsonObject = { ...question, verbosity: "agent", token_budget: 20_000 };
    const { patterns = [] } = (await call("tmkb_query", asked)) as {
      readonly patterns?: readonly { readonly id: string }[];
    };
    return patterns.map(({ id }) => id).slice(0, 3);
  };
}

const countOf = (ids: readonly string[], among: readonly string[]): number =>
  ids.filter((id) => among.includes(id)).length;

const sumOf = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0);

/** Tells whoever runs the tests how good it is, not only that it is good enough. */
const tell = (what: string, share: number): void =>
  void process.stdout.write(`held out: ${what} ${share.toFixed(3)}\n`);

describe("queries that were not used for tuning", () => {
  test("name patterns that there are, eight or more for each family, and none twice", () => {
    const ids = corpusFiles().map(({ file }) => path.basename(file, ".yaml"));
    const unknown = queries.flatMap(({ must, relevant }) => [...must, ...relevant]).filter((id) => !ids.includes(id));
    expect(unknown).toEqual([]);
    expect(queries.filter(({ must, relevant }) => countOf(must, relevant) !== must.length)).toEqual([]);
    expect(queries.filter(({ must }) => must.length < 1 || must.length > 2)).toEqual([]);
    const families = [...new Set(ids.map((id) => id.slice(0, -3)))];
    expect(families.length).toBe(15);
    const thin = families.filter((family) => queries.filter(({ must }) => must[0]?.startsWith(family)).length < 8);
    expect(thin).toEqual([]);
    const contexts = [...queries.map(({ context }) => context), ...nothing];
    expect(new Set(contexts).size).toBe(contexts.length);
    expect(queries.length).toBe(150);
    expect(nothing.length).toBe(50);
  });

  test("find what they must among the first three, and little else", async () => {
    const ask = await openAsk();
    const found = await Promise.all(
      queries.map(async ({ must, relevant, ...question }) => {
        const ids = await ask(question);
        return { returned: ids.length, accepted: countOf(ids, relevant), right: countOf(must, ids), must: must.length };
      }),
    );
    const precision = sumOf(found.map(({ accepted }) => accepted)) / sumOf(found.map(({ returned }) => returned));
    const recall = sumOf(found.map(({ right }) => right)) / sumOf(found.map(({ must }) => must));
    tell("precision@3", precision);
    tell("recall@3", recall);
    expect(precision).toBeGreaterThanOrEqual(0.9);
    expect(recall).toBeGreaterThanOrEqual(0.9);
  });

  test("find nothing where there is nothing to find", async () => {
    const ask = await openAsk();
    const answers = await Promise.all(nothing.map((context) => ask({ context })));
    const empty = answers.filter((ids) => ids.length === 0).length / answers.length;
    tell("empty where nothing belongs", empty);
    expect(empty).toBeGreaterThanOrEqual(0.95);
  });
});
