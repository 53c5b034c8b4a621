import { describe, expect, test } from "vitest";
import type { ThreatPattern } from "../../src/format/pattern.js";
import { type Corpus, cacheIndex } from "../../src/library/corpus.js";
import { Library, type UserPatterns } from "../../src/library/library.js";
import { toListed } from "../../src/library/listed-pattern.js";

const patternOf = (id: string, name: string): ThreatPattern => ({
  id,
  name,
  tier: "B",
  category: "authz",
  severity: "high",
  description: "Something goes wrong.",
  agent_summary: { threat: "T.", check: "C?", fix: "F." },
  mitigations: [{ id: "MIT-1", description: "Do it right.", code_examples: [{ language: "go", secure_code: "x()" }] }],
});

const patterns = [patternOf("TMKB-AUTHZ-001", "One"), patternOf("TMKB-AUTHZ-002", "Two")];
const corpus: Corpus = {
  index: async () => patterns.map(toListed),
  pattern: async (id) => patterns.find((pattern) => pattern.id === id) ?? patternOf(id, "none"),
};
const none: UserPatterns = { patterns: [], diagnostics: [], files: 0 };

describe("the library", () => {
  test("returns the same map until the user's patterns change", async () => {
    let user = none;
    const library = new Library(corpus, async () => user);
    const first = await library.entries();
    expect(await library.entries()).toBe(first);
    user = { ...none, patterns: [{ file: "a.yaml", pattern: patternOf("TMKB-AUTHZ-001", "Mine") }] };
    expect([...(await library.entries()).values()].map(({ name, origin }) => `${name} ${origin}`)).toEqual([
      "Mine user",
      "Two built-in",
    ]);
    expect((await library.readAll()).map(({ name }) => name)).toEqual(["Mine", "Two"]);
    expect(await library.find("tmkb-authz-001")).toMatchObject({ replaces: true, file: "a.yaml" });
  });

  test("reads the index once, and again after a failure", async () => {
    let reads = 0;
    const once = cacheIndex({
      ...corpus,
      async index() {
        reads++;
        if (reads === 1) throw new Error("not there yet");
        return corpus.index();
      },
    });
    await expect(once.index()).rejects.toThrow("not there yet");
    await Promise.all([once.index(), once.index()]);
    await once.index();
    expect(reads).toBe(2);
  });

  test("rejects an unknown id and suggests the nearest one", async () => {
    const library = new Library(corpus, async () => none);
    await expect(library.read("TMKB-AUTHZ-003")).rejects.toThrow("Did you mean TMKB-AUTHZ-001?");
    expect(await library.look("nothing")).toBeUndefined();
  });
});
