import { expect, test } from "vitest";
import { type Family, writeBound, writeFamilies, writeNumber } from "./text.js";

const calls: Family = {
  name: "calls",
  help: 'Calls, "all" of \\ them.\nReally.',
  type: "counter",
  samples: [{ labels: { name: 'a"b\\c\nd', kind: "tool" }, value: 2 }, { value: 0.5 }],
};
const info: Family = { name: "build", help: "Build.", type: "info", samples: [{ labels: { v: "1" }, value: 1 }] };

test("the form of Prometheus has whole names, and no quotes that are escaped in helps", () => {
  expect(writeFamilies([calls, info], "prometheus")).toBe(
    String.raw`# HELP calls_total Calls, "all" of \\ them.\nReally.
# TYPE calls_total counter
calls_total{name="a\"b\\c\nd",kind="tool"} 2
calls_total 0.5
# HELP build_info Build.
# TYPE build_info gauge
build_info{v="1"} 1
`,
  );
});

test("OpenMetrics has families without the endings of their samples, and an end", () => {
  expect(writeFamilies([calls, info], "openmetrics")).toBe(
    String.raw`# HELP calls Calls, \"all\" of \\ them.\nReally.
# TYPE calls counter
calls_total{name="a\"b\\c\nd",kind="tool"} 2
calls_total 0.5
# HELP build Build.
# TYPE build info
build_info{v="1"} 1
# EOF
`,
  );
});

test.each([
  [0, "0"],
  [1.5, "1.5"],
  [1e21, "1e+21"],
  [Number.NaN, "NaN"],
  [Number.POSITIVE_INFINITY, "+Inf"],
  [Number.NEGATIVE_INFINITY, "-Inf"],
])("%d is written as %s", (value, text) => {
  expect(writeNumber(value)).toBe(text);
});

test("bounds have a point", () => {
  expect([0.01, 1, 300].map(writeBound)).toEqual(["0.01", "1.0", "300.0"]);
});
