import { expect, test } from "vitest";
import { summarize } from "./run-result.js";
import type { Check } from "./suite.js";

const check = (scenario: string, status: Check["status"], more: Partial<Check> = {}): Check => ({
  scenario,
  id: "looks",
  name: "Looks",
  status,
  ...more,
});

test("a scenario that only informs, warns or skips has passed nothing", () => {
  const result = summarize([
    check("sound", "SUCCESS"),
    check("sound", "SUCCESS"),
    check("idle", "INFO"),
    check("shy", "SKIPPED"),
    check("loud", "WARNING", { errorMessage: "Too loud." }),
    check("broken", "FAILURE", { errorMessage: "It fell apart." }),
    check("odd", "FAILURE", { id: "wire-schema-valid", details: { violations: ["/params"] } }),
  ]);
  expect(result).toEqual({
    passed: { sound: 2 },
    skipped: ["shy: looks"],
    warnings: ["loud: looks (Looks): Too loud."],
    failures: ["broken: looks (Looks): It fell apart.", 'odd: wire-schema-valid (Looks): {"violations":["/params"]}'],
  });
});
