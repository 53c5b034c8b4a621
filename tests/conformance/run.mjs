// npm run conformance: runs the official suites against the example server, and prints the result of each scenario.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));
const folder = mkdtempSync(path.join(tmpdir(), "conformance-"));

/** The results of one run, as tests/conformance/expected-runs.ts writes them. */
function readColumns(file) {
  const { testResults } = JSON.parse(readFileSync(file, "utf8"));
  return testResults.flatMap(({ assertionResults }) => assertionResults.flatMap(({ meta }) => meta?.conformance ?? []));
}

const of = (lines, scenario) => lines.filter((line) => line.startsWith(`${scenario}: `)).length;

function toCell({ passed, failures, warnings, skipped }, scenario) {
  const wrong = of(failures, scenario) + of(warnings, scenario);
  const right = passed[scenario] ?? 0;
  if (wrong > 0) return `✗ ${right}/${right + wrong}`;
  if (right > 0) return `✓ ${right}`;
  return of(skipped, scenario) > 0 ? "skipped" : "";
}

function printTable(columns) {
  const scenarios = columns.flatMap(({ result: { passed, failures, warnings, skipped } }) => [
    ...Object.keys(passed),
    ...[...failures, ...warnings, ...skipped].map((line) => line.slice(0, line.indexOf(": "))),
  ]);
  const names = [...new Set(scenarios)].sort((a, b) => a.localeCompare(b));
  const rows = [
    ["", ...columns.map(({ column }) => column)],
    ...names.map((name) => [name, ...columns.map(({ result }) => toCell(result, name))]),
    ["scenarios", ...columns.map(({ result }) => `${Object.keys(result.passed).length}`)],
    ["checks passed", ...columns.map(({ result }) => `${Object.values(result.passed).reduce((a, b) => a + b, 0)}`)],
    ["failures", ...columns.map(({ result }) => `${result.failures.length}`)],
    ["warnings", ...columns.map(({ result }) => `${result.warnings.length}`)],
  ];
  // One word per line, so that the table fits a screen.
  const [heading = [], ...body] = rows;
  const words = heading.map((text) => text.split(" "));
  const head = Array.from({ length: Math.max(...words.map(({ length }) => length)) }, (_, line) =>
    words.map((column) => column[line] ?? ""),
  );
  const widths = heading.map((_, at) => Math.max(...[...head, ...body].map((row) => row[at]?.length ?? 0)));
  for (const row of [...head, ...body])
    console.log(
      row
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join("  ")
        .trimEnd(),
    );
}

try {
  const file = path.join(folder, "results.json");
  const vitest = path.join(root, "node_modules/vitest/vitest.mjs");
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${file}`];
  const { status } = spawnSync(process.execPath, [vitest, "run", "tests/conformance", ...reporters], {
    cwd: root,
    stdio: "inherit",
  });
  const columns = readColumns(file);
  printTable(columns.toSorted((a, b) => (a.column < b.column ? 1 : -1)));
  process.exitCode = status ?? 1;
} finally {
  rmSync(folder, { recursive: true });
}
