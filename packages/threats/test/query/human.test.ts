import { describe, expect, test } from "vitest";
import { openBench } from "../kit.js";
import { madePattern, openWith, shownIn } from "./kit.js";

const webhook = madePattern("TMKB-ASYNC-001", {
  name: "Webhook without a signature check",
  description: "Anybody can post to it.",
  triggers: { keywords: ["webhook"] },
  provenance: {
    public_references: [{ cwe: "CWE-345" }, { owasp: "API10:2023" }, { asvs: "v5.0.0-4.1.5" }, { cwe: "CWE-347" }],
  },
  attack_scenario: { narrative: "Somebody posts an event." },
  related_patterns: [{ id: "TMKB-ASYNC-002", relationship: "related" }],
  mitigations: [shownIn("python/flask", "go/gin")],
});

describe("an answer for a person", () => {
  test("contains the scenario, vulnerable and secure code, and public references", async () => {
    const { call } = await openWith([webhook]);
    const answer = await call("tmkb_query", { context: "receive a webhook", verbosity: "human" });
    expect(answer).toMatchObject({ pattern_count: 1, patterns_included: 1, token_limit_reached: false });
    expect(answer["patterns"]).toBeUndefined();
    expect(answer["verbose_patterns"]).toEqual([
      {
        id: "TMKB-ASYNC-001",
        name: "Webhook without a signature check",
        severity: "high",
        likelihood: "medium",
        tier: "B",
        category: "authz",
        threat: "It happens.",
        check: "Is it checked?",
        fix: "Check it.",
        description: "Anybody can post to it.",
        attack_scenario: { narrative: "Somebody posts an event." },
        mitigations: [
          {
            id: "MIT-1",
            description: "Check it.",
            effectiveness: "high",
            code_examples: [
              {
                language: "python",
                framework: "flask",
                vulnerable_code: 'risky("python/flask")',
                secure_code: 'safe("python/flask")',
              },
              { language: "go", framework: "gin", vulnerable_code: 'risky("go/gin")', secure_code: 'safe("go/gin")' },
            ],
          },
        ],
        related_patterns: ["TMKB-ASYNC-002"],
        cwe: ["CWE-345", "CWE-347"],
        owasp: ["API10:2023"],
        asvs: ["v5.0.0-4.1.5"],
      },
    ]);
  });

  test("contains up to ten patterns, without a budget", async () => {
    const many = Array.from({ length: 12 }, (_, at) =>
      madePattern(`TMKB-ASYNC-${String(at + 1).padStart(3, "0")}`, {
        triggers: { keywords: ["webhook"] },
        description: "It goes wrong in a long way. ".repeat(40),
      }),
    );
    const { call } = await openWith(many);
    const answer = await call("tmkb_query", { context: "a webhook", verbosity: "human" });
    expect(answer).toMatchObject({ pattern_count: 12, patterns_included: 10, token_limit_reached: false });
    expect(answer["token_count"]).toBeGreaterThan(2500);
  });

  test("reports that nothing matches", async () => {
    const { call } = await openWith([webhook]);
    expect(await call("tmkb_query", { context: "load balancer", verbosity: "human" })).toMatchObject({
      pattern_count: 0,
      verbose_patterns: [],
      note: expect.stringMatching(/^No pattern matches this context/),
    });
  });

  test.each([150, 300, 600, 1200, 2400, 5000])("meets a budget of %i tokens", async (budget) => {
    const { call } = await openBench();
    const answer = await call("tmkb_query", {
      context: "receive a payment webhook",
      verbosity: "human",
      token_budget: budget,
    });
    expect(answer["token_count"]).toBeLessThanOrEqual(budget);
    expect(answer["patterns_included"]).toBeGreaterThanOrEqual(1);
    expect((answer["verbose_patterns"] as { id: string }[])[0]?.id).toBe("TMKB-ASYNC-001");
  });
});
