import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { PostgresServer } from "../../../todo/test/postgres.js";
import { search } from "../../src/search/search.js";
import type { SearchOptions, SearchResult } from "../../src/search/search-types.js";
import { type Bench, openBench } from "../kit.js";
import { noPgvector, startPgvector } from "../postgres.js";

const WORDS =
  "river|bank|of the|the fish|swims|deep|readFile|proxy_host http|cold stone|bridge|魚は川|über|3.14|a|it's".split("|");

/** Texts out of a few words, so that each is in many of them. */
function makeTexts(count: number): Record<string, string> {
  let state = 7;
  const next = (most: number): number => {
    state = (state * 48_271) % 2_147_483_647;
    return state % most;
  };
  const sentence = (): string => Array.from({ length: 3 + next(9) }, () => WORDS[next(WORDS.length)]).join(" ");
  return Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      `t${index}.${index % 3 === 0 ? "txt" : "md"}`,
      `# own${index} ${sentence()}\n\nOwn words alpha${index} beta${index} gamma${index} ${sentence()}. ${sentence()}.\n\n## ${sentence()}\n\n${sentence()}.\n\n\`\`\`js\n${sentence()}\n\`\`\`\n`,
    ]),
  );
}

const QUERIES = [
  "fish river",
  "the proxy host",
  "readFile",
  '"of the river"',
  '"the fish" -stone',
  '"cold stone" OR "deep http"',
  'bridge AND ("river bank" OR "bank of")',
  "+über -3.14",
  '-"river bank" fish',
  "川",
  '"魚は川"',
  '"proxy_host http"',
];

describe.skipIf(noPgvector !== undefined)(
  `in PostgreSQL and in SQLite${noPgvector === undefined ? "" : ` (left out: ${noPgvector})`}`,
  () => {
    let postgres: PostgresServer | undefined;
    beforeAll(async () => {
      postgres = await startPgvector();
    }, 60_000);
    afterAll(() => postgres?.stop());

    /** The same in two databases, in a second version of which a third of the texts has gone. */
    async function openBoth(): Promise<readonly [Bench, Bench]> {
      const both = [await openBench(), await openBench({ database: (await postgres?.makeDatabase()) ?? "" })] as const;
      const texts = makeTexts(60);
      for (const { call, write, remove } of both) {
        for (const [name, text] of Object.entries(texts)) await write(name, text);
        await call("kb_create", { name: "docs" });
        await call("kb_ingest", { collection: "docs", paths: ["."] });
        for (const index of [1, 5, 10, 13]) await remove(`t${index}.md`);
        await write("t2.md", "# fish\n\nA cold river of the fish.");
        await call("kb_ingest", { collection: "docs", paths: ["."] });
      }
      return both;
    }

    const ask = ({ context }: Bench, more: Partial<SearchOptions>, version?: number): Promise<SearchResult> =>
      search(context, {
        query: "cold fish of the river",
        top_k: 100,
        ...more,
        collections: [{ name: "docs", version }],
      });

    test("the same passages are found with the same scores", async () => {
      const [lite, post] = await openBoth();
      for (const query of QUERIES)
        for (const mode of ["words", "hybrid"] as const) {
          const [one, other] = [await ask(lite, { query, mode }), await ask(post, { query, mode })];
          expect(other.warnings).toEqual([]);
          expect(one.results.length, query).toBeGreaterThan(0);
          expect(other.query_info, query).toEqual(one.query_info);
          const scores = new Map(one.results.map((hit) => [hit.chunk_id, hit]));
          expect(other.results.map((hit) => hit.chunk_id).toSorted()).toEqual([...scores.keys()].toSorted());
          for (const hit of other.results) {
            const twin = scores.get(hit.chunk_id);
            expect(hit.bm25_score).toBeCloseTo(twin?.bm25_score ?? -1, mode === "words" ? 9 : 3);
            expect(hit.vector_score ?? 0).toBeCloseTo(twin?.vector_score ?? 0, 3);
            expect(hit.citation).toEqual(twin?.citation);
          }
        }
    }, 60_000);

    test("filters and versions leave out the same", async () => {
      const [lite, post] = await openBoth();
      const queries: readonly (readonly [Partial<SearchOptions>, version?: number])[] = [
        [{ filters: { document_types: ["text"] } }],
        [{ filters: { chunk_types: ["text"], min_score: 0.3 } }],
        [{}, 1],
        [{ filters: { document_types: ["text"] } }, 1],
        [{ mode: "vector" }],
      ];
      for (const [more, version] of queries) {
        const asked = { ...more, expand: false };
        const [one, other] = [await ask(lite, asked, version), await ask(post, asked, version)];
        const ids = (answer: SearchResult): string[] => answer.results.map((hit) => hit.chunk_id).toSorted();
        expect(ids(one).length).toBeGreaterThan(0);
        expect(ids(other), JSON.stringify(more)).toEqual(ids(one));
      }
    }, 60_000);
  },
);
