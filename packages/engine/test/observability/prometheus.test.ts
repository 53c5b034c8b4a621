import { expect, test } from "vitest";
import { formatFamily } from "../../src/observability/prometheus.js";

test("label values and help texts are escaped", () => {
  const text = formatFamily({
    name: "calls_total",
    help: 'Calls, "all" of \\ them.\nReally.',
    type: "counter",
    samples: [{ labels: { name: 'a"b\\c\nd', kind: "tool" }, value: 2 }, { value: 0.5 }],
  });
  expect(text).toBe(
    String.raw`# HELP calls_total Calls, "all" of \\ them.\nReally.
# TYPE calls_total counter
calls_total{name="a\"b\\c\nd",kind="tool"} 2
calls_total 0.5
`,
  );
});
