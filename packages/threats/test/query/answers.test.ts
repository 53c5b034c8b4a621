import fc from "fast-check";
import { Tiktoken } from "js-tiktoken/lite";
import cl100k from "js-tiktoken/ranks/cl100k_base";
import { describe, expect, test } from "vitest";
import { textOf } from "../../../../tests/support/tool-calls.js";
import type { ThreatPattern } from "../../src/format/pattern.js";
import { openBench } from "../kit.js";
import { madePattern, openWith, shownIn } from "./kit.js";

const judge = new Tiktoken(cl100k);
const tokensOf = (text: string): number => judge.encode(text, [], []).length;

const webhook = madePattern("TMKB-ASYNC-001", {
  name: "Webhook without a signature check",
  triggers: { keywords: ["webhook"], actions: ["receive events"] },
  mitigations: [shownIn("python/flask", "python/django", "typescript/express", "go/any")],
});

describe("an answer for an agent", () => {
  test("contains short patterns and code", async () => {
    const { client } = await openWith([webhook]);
    const result = await client.callTool("tmkb_query", { context: "receive a webhook" });
    const answer = {
      pattern_count: 1,
      patterns_included: 1,
      token_count: 81,
      token_limit_reached: false,
      patterns: [
        { id: "TMKB-ASYNC-001", severity: "high", threat: "It happens.", check: "Is it checked?", fix: "Check it." },
      ],
      code_pattern: { language: "python", framework: "flask", secure_template: 'safe("python/flask")' },
    };
    expect(result).toMatchObject({ structuredContent: answer, isError: false });
    expect(JSON.parse(textOf(result))).toEqual(answer);
    expect(tokensOf(textOf(result))).toBe(81);
  });

  test("is empty if nothing matches, with a suggestion", async () => {
    const { call } = await openWith([webhook]);
    const answer = await call("tmkb_query", { context: "video transcoding with small files" });
    expect(answer).toMatchObject({ pattern_count: 0, patterns_included: 0, patterns: [], token_limit_reached: false });
    expect(answer["note"]).toMatch(/^No pattern matches this context\. Describe what the code does /);
  });

  test.each([
    [{ language: "python" }, "python", "flask", undefined],
    [{ language: "python", framework: "django" }, "python", "django", undefined],
    [{ framework: "express" }, "typescript", "express", undefined],
    [{ language: "javascript" }, "typescript", "express", "No example in javascript; this one is in typescript."],
    [
      { language: "typescript", framework: "flask" },
      "typescript",
      "express",
      "No example for flask; this one is for express.",
    ],
    [{ language: "go" }, "go", "any", undefined],
    [{ files: ["src/hooks.ts"] }, "typescript", "express", undefined],
    [{ context: "receive a webhook in Django" }, "python", "django", undefined],
    [{ context: "receive a webhook in Go" }, "go", "any", undefined],
    [{}, "python", "flask", undefined],
  ])("%j: its code is in %s for %s", async (more, language, framework, note) => {
    const { call } = await openWith([webhook]);
    const answer = await call("tmkb_query", { context: "receive a webhook", ...more });
    expect(answer["code_pattern"]).toEqual({
      language,
      framework,
      secure_template: `safe("${language}${framework === "any" ? "/any" : `/${framework}`}")`,
      ...(note !== undefined && { note }),
    });
  });

  test("contains three patterns, or as many as requested", async () => {
    const many = ["001", "002", "003", "004", "005"].map((number) =>
      madePattern(`TMKB-ASYNC-${number}`, { triggers: { keywords: ["webhook"] } }),
    );
    const { call } = await openWith(many);
    const ids = async (more: object) => {
      const { pattern_count, patterns } = await call("tmkb_query", {
        context: "a webhook",
        token_budget: 2000,
        ...more,
      });
      return [pattern_count, ...(patterns as { id: string }[]).map(({ id }) => id.slice(-3))];
    };
    expect(await ids({})).toEqual([5, "001", "002", "003"]);
    expect(await ids({ limit: 0 })).toEqual([5, "001", "002", "003"]);
    expect(await ids({ limit: 1 })).toEqual([5, "001"]);
    expect(await ids({ limit: 50 })).toEqual([5, "001", "002", "003", "004", "005"]);
  });

  test("lists the patterns beyond the budget", async () => {
    const long = { threat: "It happens often. ".repeat(15), check: "Is it checked?", fix: "Check it." };
    const patterns = ["001", "002", "003"].map((number) =>
      madePattern(`TMKB-ASYNC-${number}`, { triggers: { keywords: ["webhook"] }, agent_summary: long }),
    );
    const { call } = await openWith(patterns);
    expect(await call("tmkb_query", { context: "a webhook", token_budget: 220 })).toMatchObject({
      pattern_count: 3,
      patterns_included: 2,
      token_limit_reached: true,
      left_out: ["TMKB-ASYNC-003"],
    });
  });

  test("shortens the first pattern if it is too long, at the end of a sentence or a word", async () => {
    const wordy = madePattern("TMKB-ASYNC-001", {
      triggers: { keywords: ["webhook"] },
      agent_summary: {
        threat: "Anybody can post to it. ".repeat(30),
        check: `Does the handler compare ${"this and ".repeat(60)}that?`,
        fix: "Compare.",
      },
    });
    const { call } = await openWith([wordy]);
    const answer = await call("tmkb_query", { context: "a webhook", token_budget: 150 });
    expect(answer).toMatchObject({
      patterns_included: 1,
      token_limit_reached: true,
      note: "Shortened to fit the token budget.",
    });
    const [pattern] = answer["patterns"] as [{ threat: string; check: string; fix: string }];
    expect(pattern.threat).toMatch(/^(?:Anybody can post to it\. ?)+$/);
    expect(pattern.check).toMatch(/^Does the handler compare (?:this and )*this(?: and)?…$/);
    expect(pattern.fix).toBe("Compare.");
    expect(answer["token_count"]).toBeLessThanOrEqual(150);
  });
});

describe("the budget", () => {
  test("is met for all patterns and budgets, including code, by the reference tokenizer", async () => {
    const words = fc.string({ unit: "grapheme", minLength: 0, maxLength: 700 });
    const pattern = (number: string) =>
      fc
        .record({ threat: words, check: words, fix: words, code: words })
        .map(({ code, ...agent_summary }): ThreatPattern => {
          const [mitigation] = [shownIn("python/flask")];
          const code_examples = mitigation.code_examples?.map((each) => ({ ...each, secure_code: code })) ?? [];
          return madePattern(`TMKB-OUTBOUND-${number}`, {
            severity: "critical",
            triggers: { keywords: ["webhook"] },
            agent_summary,
            mitigations: [{ ...mitigation, code_examples }],
          });
        });
    await fc.assert(
      fc.asyncProperty(
        pattern("001"),
        pattern("002"),
        pattern("003"),
        fc.integer({ min: 150, max: 900 }),
        async (a, b, c, budget) => {
          const { client } = await openWith([a, b, c]);
          const result = await client.callTool("tmkb_query", { context: "a webhook", token_budget: budget });
          const { token_count, patterns_included } = result["structuredContent"] as {
            token_count: number;
            patterns_included: number;
          };
          expect(token_count).toBe(tokensOf(textOf(result)));
          expect(token_count).toBeLessThanOrEqual(budget);
          expect(patterns_included).toBeGreaterThanOrEqual(1);
        },
      ),
      { numRuns: 25 },
    );
  });

  test("of 500 tokens is met for every built-in pattern, queried by its keywords", async () => {
    const { call, client } = await openBench();
    const { patterns, next } = (await call("tmkb_list")) as { patterns: { id: string }[]; next?: unknown };
    expect(next).toBeUndefined();
    for (const { id } of patterns) {
      const { triggers } = (await call("tmkb_get", { id }))["pattern"] as unknown as ThreatPattern;
      const result = await client.callTool("tmkb_query", { context: (triggers?.keywords ?? []).join(", ") });
      expect(tokensOf(textOf(result)), id).toBeLessThanOrEqual(500);
      expect((result["structuredContent"] as { patterns: unknown[] }).patterns.length, id).toBeGreaterThan(0);
    }
  });

  test("defaults to the setting", async () => {
    const { call } = await openWith([webhook], { tokenBudget: 150 });
    expect(Number((await call("tmkb_query", { context: "receive a webhook" }))["token_count"])).toBeLessThanOrEqual(
      150,
    );
  });
});
