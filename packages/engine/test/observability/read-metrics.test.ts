import { expect, test } from "vitest";
import { readMetrics, valuesOf } from "./read-metrics.js";

test("reads numbers, labels and escapes", () => {
  const families = readMetrics(
    '# HELP a_total An \\\\ and\\nmore\n# TYPE a_total counter\na_total{x="q\\"\\\\\\n"} 2\na_total 1e3\n',
  );
  expect(families.get("a_total")).toEqual({
    name: "a_total",
    help: "An \\ and\nmore",
    type: "counter",
    samples: [
      { name: "a_total", labels: { x: 'q"\\\n' }, value: 2 },
      { name: "a_total", labels: {}, value: 1000 },
    ],
  });
  expect(valuesOf(families, "a_total")).toEqual({ 'x=q"\\\n': 2, "": 1000 });
});

const gauge = "# HELP a A.\n# TYPE a gauge\n";
const histogram = "# HELP h H.\n# TYPE h histogram\n";

test.each([
  ["a last line that does not end", `${gauge}a 1`],
  ["a number without a family", "a 1\n"],
  ["a type without help", "# TYPE a gauge\na 1\n"],
  ["an unknown type", "# HELP a A.\n# TYPE a number\na 1\n"],
  ["a family that occurs twice", `${gauge}a 1\n${gauge}`],
  ["a number of another family", `${gauge}b 1\n`],
  ["a series that occurs twice", `${gauge}a{x="1"} 1\na{x="1"} 2\n`],
  ["a label that occurs twice", `${gauge}a{x="1",x="2"} 1\n`],
  ["a quote that is not escaped", `${gauge}a{x="a"b"} 1\n`],
  ["an unknown escape", `${gauge}a{x="\\t"} 1\n`],
  ["an unknown escape in a help", "# HELP a A\\t.\n# TYPE a gauge\na 1\n"],
  ["no number", `${gauge}a one\n`],
  ["a space before the number too many", `${gauge}a  1\n`],
  ["an empty line", `${gauge}\na 1\n`],
  ["a counter without its ending", "# HELP a A.\n# TYPE a counter\na 1\n"],
  ["a gauge with the ending of a counter", "# HELP a_total A.\n# TYPE a_total gauge\na_total 1\n"],
  ["a counter below 0", "# HELP a_total A.\n# TYPE a_total counter\na_total -1\n"],
  ["buckets that become fewer", `${histogram}h_bucket{le="1.0"} 2\nh_bucket{le="+Inf"} 1\nh_sum 1\nh_count 1\n`],
  ["bounds in the wrong order", `${histogram}h_bucket{le="2.0"} 1\nh_bucket{le="1.0"} 1\nh_sum 1\nh_count 1\n`],
  ["a last bucket that is not all", `${histogram}h_bucket{le="1.0"} 1\nh_bucket{le="+Inf"} 1\nh_sum 1\nh_count 2\n`],
  ["no last bucket", `${histogram}h_bucket{le="1.0"} 1\nh_sum 1\nh_count 1\n`],
  ["no sum", `${histogram}h_bucket{le="+Inf"} 1\nh_count 1\n`],
])("rejects %s", (_what, text) => {
  expect(() => readMetrics(text)).toThrow();
});
