// npm run runtimes [-- node22 node24 bun deno] [packages/engine/test/http/ ...]: runs the tests of the engine, or some parts of them, on other
// runtimes, and says what fails where.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { knownFaults } from "./known-faults.mjs";
import { INSIDE, OTHERS, partOf, STARTING } from "./parts.mjs";
import { bringRuntimes } from "./runtimes.mjs";

const root = fileURLToPath(new URL("../../", import.meta.url));
const folder = mkdtempSync(path.join(tmpdir(), "runtimes-"));
const words = process.argv.slice(2);
const wantedParts = words.filter((word) => word.includes("/"));
/** A part that takes longer hangs. */
const LONGEST_PART_MS = 900_000;

/** One file that runs programs on a runtime, for tests that start them. */
function singleFile({ name, command: [program = "", ...flags] }) {
  if (flags.length === 0) return program;
  const file = path.join(folder, name);
  writeFileSync(file, `#!/bin/sh\nexec '${program}' ${flags.join(" ")} "$@"\n`, { mode: 0o755 });
  return file;
}

/** Runs a part, and gives each of its tests with how it went: passed, failed (and why) or skipped. */
function runPart(runtime, part) {
  const isStarting = STARTING.includes(part);
  const [program = "", ...flags] = isStarting ? [process.execPath] : runtime.command;
  const env = {
    ...process.env,
    ENGINE_TEST_NODE: process.execPath,
    ...(isStarting && { ENGINE_TEST_RUNTIME: singleFile(runtime) }),
  };
  const file = path.join(folder, `${runtime.name}-${part.replaceAll("/", "-")}.json`);
  const vitest = ["node_modules/vitest/vitest.mjs", "run", part, "--root", ".", "--config"];
  const elsewhere = [...INSIDE, ...STARTING, ...OTHERS].filter((other) => other !== part && other.startsWith(part));
  const options = [...elsewhere.map((other) => `--exclude=${other}`), "--reporter=json", `--outputFile.json=${file}`];
  const args = [...flags, ...vitest, "tests/runtimes/vitest.config.ts", ...options];
  spawnSync(program, args, { cwd: root, env, stdio: "ignore", timeout: LONGEST_PART_MS });
  if (!existsSync(file)) return [{ test: part, how: "failed", why: "it did not end, or crashed" }];
  const { testResults } = JSON.parse(readFileSync(file, "utf8"));
  const results = testResults.flatMap(({ name, status, message, assertionResults }) => {
    const short = path.relative(root, name).split(path.sep).join("/");
    if (partOf(short) !== part) return [];
    const hasFailed = assertionResults.some((each) => each.status === "failed");
    const loads = status === "failed" && !hasFailed ? [{ test: `${short} > loads`, how: "failed", why: message }] : [];
    const tests = assertionResults.map((each) => ({
      test: `${short} > ${each.fullName}`,
      how: each.status === "passed" || each.status === "failed" ? each.status : "skipped",
      why: each.failureMessages?.[0],
    }));
    return [...loads, ...tests];
  });
  return results.length > 0 ? results : [{ test: part, how: "failed", why: "no test ran" }];
}

/** What a part shows of its tests: each that failed or was skipped, and why. */
function tellPart(part, results, faults) {
  const count = (how) => results.filter((each) => each.how === how).length;
  console.log(
    `  ${part.padEnd(42)} ${`${count("passed")}`.padStart(5)} passed, ${count("failed")} failed, ${count("skipped")} skipped`,
  );
  for (const { test, how, why } of results) {
    if (how === "skipped") console.log(`    skipped: ${test}`);
    if (how !== "failed") continue;
    const known = faults.get(test);
    console.log(`    ${known === undefined ? "NOT KNOWN" : `known, ${known}`}: ${test}`);
    if (known === undefined) console.log(`      ${`${why}`.split("\n").slice(0, 3).join("\n      ")}`);
  }
}

/** Runs all parts on a runtime; gives the row of the table. */
function runOn(runtime) {
  const version = spawnSync(runtime.command[0], ["--version"], { encoding: "utf8" }).stdout.split("\n")[0];
  console.log(`\n${runtime.name} (${version})`);
  const faults = knownFaults(runtime.name);
  const parts = [...INSIDE, ...STARTING].filter((part) => wantedParts.length === 0 || wantedParts.includes(part));
  const all = parts.flatMap((part) => {
    const results = runPart(runtime, part);
    tellPart(part, results, faults);
    return results;
  });
  const names = (how) => all.filter((each) => each.how === how).map(({ test }) => test);
  const failed = names("failed");
  // A list that says more than is true hides the next fault.
  const mended = [...faults.keys()].filter((test) => parts.includes(partOf(test)) && !failed.includes(test));
  for (const test of mended)
    console.log(`  known to fail, but does not, or is not there; take it off the list: ${test}`);
  return {
    runtime: runtime.name,
    version,
    passed: names("passed").length,
    "failed as known": failed.filter((test) => faults.has(test)).length,
    "failed otherwise": failed.filter((test) => !faults.has(test)).length,
    "known but passed": mended.length,
    skipped: names("skipped").length,
  };
}

try {
  const rows = bringRuntimes(words.filter((word) => !wantedParts.includes(word)))?.map(runOn) ?? [];
  console.log("");
  console.table(Object.fromEntries(rows.map(({ runtime, ...row }) => [runtime, row])));
  const isAsKnown = (row) => row["failed otherwise"] === 0 && row["known but passed"] === 0 && row.passed > 0;
  process.exitCode = rows.length > 0 && rows.every(isAsKnown) ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true });
}
