import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { readPattern } from "../../src/format/read-pattern.js";

const good = readFileSync(new URL("good.yaml", import.meta.url), "utf8");

async function adviceOn(text: string, file = "some.yaml"): Promise<readonly string[]> {
  const { pattern, diagnostics } = await readPattern(text, file);
  expect(pattern?.id).toMatch(/^TMKB-/);
  return diagnostics.map(
    ({ line, column, severity, path, message }) => `${line}:${column} ${severity} ${path}: ${message}`,
  );
}

const P = "threat_pattern";

describe("warnings do not disable a pattern", () => {
  test.each([
    [
      "no keywords",
      ["    keywords: [draft, unpublished article, preview link]\n", ""],
      [`19:3 warning ${P}.triggers: has no keywords: hardly any query will find the pattern.`],
    ],
    [
      "a keyword that says nothing",
      ["[draft, unpublished", "[id, unpublished"],
      [`20:16 warning ${P}.triggers.keywords[0]: id occurs in nearly every task.`],
    ],
    [
      "a keyword twice",
      ["preview link]", "Draft]"],
      [`20:44 warning ${P}.triggers.keywords[2]: Draft is a duplicate.`],
    ],
    [
      "a long summary",
      ["fix: Filter", `fix: ${"Really. ".repeat(40)}Filter`],
      [`23:3 warning ${P}.agent_summary: has 458 characters; above 400 it leaves less room for other patterns.`],
    ],
    [
      "a long name",
      ["name: Drafts", `name: ${"Very ".repeat(12)}Drafts`],
      [`3:9 warning ${P}.name: is longer than 80 characters.`],
    ],
    [
      "a category that the id does not have",
      ["category: authz", "category: tenant"],
      [`5:13 warning ${P}.category: is tenant, but the id TMKB-AUTHZ-900 says authz.`],
    ],
    [
      "no source",
      ["    source_type: own_analysis\n", ""],
      [`14:3 warning ${P}.provenance.source_type: is recommended in tier B, but missing or incomplete.`],
    ],
    [
      "no likelihood",
      ["  likelihood: medium\n", ""],
      [`1:1 warning ${P}.likelihood: is recommended in tier B, but missing or incomplete.`],
    ],
    [
      "too few questions",
      ["[show an unpublished article, list drafts of a blog, send a preview link]", "[show an unpublished article]"],
      [`48:7 warning ${P}.testing.queries.finds: is recommended in tier B, but missing or incomplete.`],
    ],
    [
      "one side of the code",
      ["          vulnerable_code: |\n            articles = Article.query.all()\n", ""],
      [
        `27:3 warning ${P}.mitigations: has code in too few languages for tier B: expected 1, found none.`,
        `32:11 warning ${P}.mitigations[0].code_examples[0]: has no vulnerable_code.`,
      ],
    ],
    [
      "a language that is nearly a known one",
      ["language: python", "language: pyton"],
      [
        `32:21 warning ${P}.mitigations[0].code_examples[0].language: pyton is not among python, typescript, go, java, csharp, ruby, php, rust, dockerfile, terraform, github-actions.`,
      ],
    ],
  ] as const)("%s", async (_, [old, other], expected) => {
    expect(good).toContain(old);
    expect(await adviceOn(good.replace(old, other))).toEqual(expected);
  });

  test("a custom family is reported, with a similar built-in one", async () => {
    const own = good.replaceAll("AUTHZ-9", "PAYMENTS-9").replace("category: authz", "category: payments");
    const { diagnostics } = await readPattern(own, "some.yaml");
    expect(diagnostics.map(({ suggestion }) => suggestion)).toEqual(["Keep it if it is a family of your own."]);
    const slip = good.replaceAll("AUTHZ-9", "TENNANT-9").replace("category: authz", "category: tennant");
    expect((await readPattern(slip, "some.yaml")).diagnostics.map(({ suggestion }) => suggestion)).toEqual([
      "Did you mean tenant?",
    ]);
  });

  test("a file that is named after another pattern", async () => {
    expect(await adviceOn(good, "folder/TMKB-AUTHZ-901.yaml")).toEqual([
      "2:7 warning threat_pattern.id: is TMKB-AUTHZ-900, but the file is named TMKB-AUTHZ-901.yaml.",
    ]);
    expect(await adviceOn(good, "folder/TMKB-AUTHZ-900.yml")).toEqual([]);
  });

  test("each missing part of tier A is reported", async () => {
    const scenario =
      "tier: A\n  attack_scenario:\n    narrative: Somebody looks.\n    attack_steps:\n      - { step: 2, action: ScanResult. }\n";
    const advice = await adviceOn(good.replace("tier: B\n", scenario));
    expect(advice.map((line) => line.replace("is recommended in tier A, but missing or incomplete.", "…"))).toEqual([
      `1:1 warning ${P}.generalizes_to: …`,
      `1:1 warning ${P}.security_principles: …`,
      `1:1 warning ${P}.validation.baseline_test: …`,
      `5:3 warning ${P}.attack_scenario.preconditions: …`,
      `5:3 warning ${P}.attack_scenario.impact: …`,
      `8:17 warning ${P}.attack_scenario.attack_steps[0].step: is 2, but is entry 1 of the list.`,
      `31:3 warning ${P}.mitigations: has code in too few languages for tier A: expected 3, found python.`,
      `45:3 warning ${P}.testing.manual_verification: …`,
    ]);
  });
});
