import { describe, expect, test } from "vitest";
import type { ThreatPattern } from "../../src/format/pattern.js";
import { toListed } from "../../src/library/listed-pattern.js";
import { createRanking, type RankingQuery } from "../../src/ranking/ranking.js";
import { madePattern, shownIn } from "../query/kit.js";

const found = (patterns: readonly ThreatPattern[], wanted: RankingQuery | string): readonly string[] =>
  createRanking(patterns.map(toListed))
    .rank(typeof wanted === "string" ? { context: wanted } : wanted)
    .map(({ pattern }) => pattern.id.slice(5));

const withKeywords = (id: string, ...keywords: string[]): ThreatPattern => madePattern(id, { triggers: { keywords } });
const withActions = (id: string, ...actions: string[]): ThreatPattern => madePattern(id, { triggers: { actions } });

describe("words", () => {
  test("match only whole words", () => {
    const ids = withKeywords("TMKB-AUTHZ-007", "id", "all", "load");
    expect(found([ids], "the id of a record")).toEqual(["AUTHZ-007"]);
    expect(found([ids], "video transcoding with small uploads")).toEqual([]);
  });

  test.each(["webhooks", "Webhook", "a web hook", "handleWebhook()", "WEBHOOK_SECRET", "the webhook's body"])(
    "are found in every form: %s",
    (context) => {
      expect(found([withKeywords("TMKB-ASYNC-001", "webhook")], context)).toEqual(["ASYNC-001"]);
    },
  );

  test("with the same meaning match each other", () => {
    expect(found([withKeywords("TMKB-AUTHZ-001", "authorization")], "who is authorised here")).toEqual(["AUTHZ-001"]);
    expect(found([withKeywords("TMKB-AUTHN-001", "login")], "people sign in here")).toEqual(["AUTHN-001"]);
  });

  test("that only look similar do not match", () => {
    expect(found([withKeywords("TMKB-AUTHZ-001", "authorization")], "the author of a book")).toEqual([]);
    expect(found([withKeywords("TMKB-CONFIG-001", "production")], "a product page")).toEqual([]);
  });

  test("do not suffice in a query with many other words", () => {
    const pattern = withKeywords("TMKB-FILES-001", "path traversal");
    expect(found([pattern], "path traversal")).toEqual(["FILES-001"]);
    expect(found([pattern], "hiking path along rivers, lakes, castles, vineyards and old mining towns")).toEqual([]);
  });

  test("without meaning find nothing", () => {
    const pattern = withKeywords("TMKB-ASYNC-001", "webhook");
    for (const context of ["", "the of and", "12345", "!!!", "x".repeat(10_000), "🙂"])
      expect(found([pattern], context)).toEqual([]);
  });
});

describe("phrases", () => {
  test("score higher if their words are adjacent", () => {
    const patterns = [withKeywords("TMKB-FILES-001", "file", "upload"), withKeywords("TMKB-FILES-002", "file upload")];
    expect(found(patterns, "a form with file upload")[0]).toBe("FILES-002");
  });

  test("match with small gaps, and in another order", () => {
    const pattern = withActions("TMKB-LOGIC-001", "redeem coupon");
    expect(found([pattern], "redeem a discount coupon")).toEqual(["LOGIC-001"]);
    expect(found([pattern], "a coupon is redeemed")).toEqual(["LOGIC-001"]);
  });
});

describe("the order", () => {
  test("is by score, then severity, likelihood and id", () => {
    const triggers = { keywords: ["webhook"] };
    const patterns = [
      madePattern("TMKB-ASYNC-001", { triggers, severity: "medium" }),
      madePattern("TMKB-ASYNC-002", { triggers, severity: "high", likelihood: "low" }),
      madePattern("TMKB-ASYNC-003", { triggers, severity: "high", likelihood: "high" }),
      madePattern("TMKB-ASYNC-005", { triggers, severity: "critical" }),
      madePattern("TMKB-ASYNC-004", { triggers, severity: "critical" }),
      madePattern("TMKB-ASYNC-006", { triggers: { keywords: ["webhook", "webhook signature"] }, severity: "low" }),
    ];
    expect(found(patterns, "webhook signature")).toEqual(["ASYNC-006"]);
    expect(found(patterns.slice(0, 5), "a webhook")).toEqual([
      "ASYNC-004",
      "ASYNC-005",
      "ASYNC-003",
      "ASYNC-002",
      "ASYNC-001",
    ]);
  });
});

describe("filters", () => {
  const triggers = { keywords: ["webhook"], file_patterns: ["**/webhooks/**"] };
  const patterns = [
    madePattern("TMKB-ASYNC-001", { triggers, category: "async" }),
    madePattern("TMKB-AUTHZ-001", { triggers: { keywords: ["webhook"] }, severity: "low" }),
  ];

  test("apply to category, severity and likelihood", () => {
    expect(found(patterns, { context: "webhook", category: "authz" })).toEqual(["AUTHZ-001"]);
    expect(found(patterns, { context: "webhook", severity: "high" })).toEqual(["ASYNC-001"]);
    expect(found(patterns, { context: "webhook", likelihood: "high" })).toEqual([]);
  });

  test.each([
    ["app/webhooks/stripe.py"],
    ["./src/webhooks/a/b.ts"],
    ["app\\webhooks\\stripe.py"],
    ["/srv/app/webhooks/x.go"],
  ])("paths speak for a pattern: %s", (file) => {
    expect(found(patterns, { context: "look over this change", files: [file] })).toEqual(["ASYNC-001"]);
    expect(found(patterns, { context: "look over this change", files: ["app/models/stripe.py"] })).toEqual([]);
  });

  test("an invalid glob matches nothing and does not fail the query", () => {
    const odd = madePattern("TMKB-ASYNC-002", { triggers: { file_patterns: ["[z-a]"] } });
    expect(found([...patterns, odd], { context: "webhook", files: ["app/webhooks/x.py"] })[0]).toBe("ASYNC-001");
  });

  test("patterns for another language come last", () => {
    const about = [
      madePattern("TMKB-CONFIG-001", {
        language: "dockerfile",
        framework: "docker",
        triggers: { keywords: ["secret"] },
      }),
      madePattern("TMKB-CONFIG-002", { triggers: { keywords: ["secret"] }, mitigations: [shownIn("python/flask")] }),
    ];
    expect(found(about, { context: "a secret", language: "dockerfile" })).toEqual(["CONFIG-001", "CONFIG-002"]);
    expect(found(about, { context: "a secret", language: "python" })).toEqual(["CONFIG-002", "CONFIG-001"]);
  });
});
