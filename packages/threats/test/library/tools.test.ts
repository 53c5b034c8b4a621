import type { JsonObject } from "@toolwright/engine";
import { describe, expect, test } from "vitest";
import { makeFolder, openBench, putFile, samplePattern } from "../kit.js";

const ids = (listed: JsonObject): string[] => (listed["patterns"] as { id: string }[]).map(({ id }) => id);

describe("tmkb_list", () => {
  test("lists all patterns on one page, sorted by id", async () => {
    const { call } = await openBench();
    const listed = await call("tmkb_list");
    expect(ids(listed).length).toBe(listed["count"]);
    expect(ids(listed)).toEqual([...ids(listed)].sort());
    expect(listed["next"]).toBeUndefined();
    expect((listed["patterns"] as JsonObject[]).find(({ id }) => id === "TMKB-AUTHZ-001")).toMatchObject({
      tier: "A",
      category: "authz",
      origin: "built-in",
      languages: expect.arrayContaining(["python", "typescript"]),
    });
  });

  test("combines filters, which include the language and framework of code examples", async () => {
    const { call } = await openBench();
    const listed = await call("tmkb_list", { category: "async", tier: "A", language: "python" });
    expect(ids(listed)).toEqual(["TMKB-ASYNC-001", "TMKB-ASYNC-004"]);
    const rails = await call("tmkb_list", { framework: "rails", severity: "critical" });
    expect(rails["count"]).toBeGreaterThan(0);
    expect(await call("tmkb_list", { category: "async", framework: "any" })).toMatchObject({ count: 7 });
  });

  test("continues after a cursor", async () => {
    const { call } = await openBench();
    const all = ids(await call("tmkb_list"));
    expect(ids(await call("tmkb_list", { cursor: "5" }))).toEqual(all.slice(5));
  });

  test("suggests the correct spelling", async () => {
    const { call } = await openBench();
    expect(await call("tmkb_list", { category: "autz" })).toEqual({
      patterns: [],
      count: 0,
      hint: 'Unknown category "autz". Did you mean authz?',
    });
    const { hint } = await call("tmkb_list", { tier: "Z" });
    expect(hint).toBe('Unknown tier "Z". Known: A, B.');
    expect(await call("tmkb_list", { severity: "low" })).toEqual({ patterns: [], count: 0 });
  });
});

describe("tmkb_get", () => {
  test("returns a whole pattern, or only the code of one language", async () => {
    const { call } = await openBench();
    const { pattern, uri } = await call("tmkb_get", { id: " tmkb-authz-001 " });
    expect(uri).toBe("threat://TMKB-AUTHZ-001");
    expect(pattern).toMatchObject({ id: "TMKB-AUTHZ-001", attack_scenario: {}, testing: {}, validation: {} });
    const one = await call("tmkb_get", { id: "TMKB-AUTHZ-001", language: "typescript" });
    const { mitigations } = one["pattern"] as { mitigations: { code_examples: { language: string }[] }[] };
    const languages = mitigations.flatMap(({ code_examples: code }) => code.map(({ language }) => language));
    expect([...new Set(languages)]).toEqual(["typescript"]);
    const none = await call("tmkb_get", { id: "TMKB-AUTHZ-001", language: "cobol" });
    expect(none["note"]).toMatch(/^There is no code in cobol\. Returned: /);
  });

  test("suggests the nearest id", async () => {
    const { fail } = await openBench();
    const { text, code } = await fail("tmkb_get", { id: "TMKB-AUTZ-001" });
    expect(text).toContain(
      "There is no pattern TMKB-AUTZ-001. Did you mean TMKB-AUTHZ-001? To list all patterns, call tmkb_list.",
    );
    expect(code).toBe("NOT_FOUND");
  });
});

describe("tmkb_validate", () => {
  test("reports the place of an error and how to fix it", async () => {
    const { call } = await openBench();
    const text = (await samplePattern()).replace("tier: B", "teir: B");
    expect(await call("tmkb_validate", { pattern: text, file: "mine.yaml" })).toEqual({
      valid: false,
      files: 1,
      errors: 1,
      warnings: 0,
      diagnostics: [
        {
          file: "mine.yaml",
          line: 4,
          column: 3,
          path: "threat_pattern.teir",
          severity: "error",
          message: "is unknown.",
          suggestion: "Did you mean tier?",
        },
      ],
      queries: { passed: 0, failed: [] },
    });
  });

  test("runs the queries of a text against all patterns", async () => {
    const { call } = await openBench();
    expect(await call("tmkb_validate", { pattern: await samplePattern() })).toEqual({
      valid: true,
      files: 1,
      errors: 0,
      warnings: 0,
      diagnostics: [],
      queries: { passed: 5, failed: [] },
    });
    const text = (await samplePattern())
      .replace("[show an unpublished article, ", "[open the garage door, ")
      .replace("print the menu of a pub", "list unpublished drafts of articles");
    const { valid, errors, queries } = await call("tmkb_validate", { pattern: text });
    expect([valid, errors]).toEqual([false, 0]);
    expect((queries as JsonObject)["failed"]).toMatchObject([
      { id: "TMKB-AUTHZ-900", query: "open the garage door", expected: "found" },
      { query: "list unpublished drafts of articles", expected: "ignored" },
    ]);
  });

  test("validates the user's folders, and a pattern by its id", async () => {
    const directory = await makeFolder();
    await putFile(directory, "a.yaml", await samplePattern());
    await putFile(directory, "b.yaml", "threat_pattern: []\n");
    const { call } = await openBench({ patternFolders: [directory] });
    const all = await call("tmkb_validate");
    expect(all).toMatchObject({ valid: false, files: 2, errors: 1, warnings: 0 });
    expect(all["diagnostics"]).toMatchObject([{ line: 1, path: "threat_pattern", severity: "error" }]);
    expect(await call("tmkb_validate", { id: "TMKB-AUTHZ-900" })).toMatchObject({
      files: 1,
      errors: 0,
      diagnostics: [],
    });
  });

  test("accepts a text or an id, not both", async () => {
    const { fail } = await openBench();
    const { text } = await fail("tmkb_validate", { pattern: "x", id: "TMKB-AUTHZ-001" });
    expect(text).toContain("pattern and id exclude each other.");
  });
});
