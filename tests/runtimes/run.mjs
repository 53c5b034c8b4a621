// npm run runtimes [-- node22 node24 bun deno]: runs the tests of the engine on other runtimes, and says what fails where.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { reasonOf } from "./known-faults.mjs";
import { bringRuntimes } from "./runtimes.mjs";

const root = fileURLToPath(new URL("../../", import.meta.url));
const folder = mkdtempSync(path.join(tmpdir(), "runtimes-"));
/** A part that takes longer hangs. */
const LONGEST_PART_MS = 900_000;
/** Each part is a run of its own, so that one that crashes or hangs takes nothing along. */
const PARTS = [
  "packages/engine/src/",
  "tests/admission/",
  "tests/authorization/",
  "tests/client/",
  "tests/conversations.test.ts",
  "tests/features/",
  "tests/fuzz/",
  "tests/http/",
  "tests/interop/http-sessions.test.ts",
  "tests/judges/",
  "tests/layers/",
  "tests/lists/",
  "tests/logging/",
  "tests/observability/",
  "tests/protocol/",
  "tests/redaction/",
  "tests/replay/",
  "tests/results/",
  "tests/schema/",
  "tests/tasks/",
  "tests/transports/",
];
/** Those that start servers as processes. They watch them from Node: other runtimes tell less of how a process ended. */
const STARTING = [
  "tests/conformance/",
  "tests/interop/everything.test.ts",
  "tests/interop/official-clients.test.ts",
  "tests/stdio/",
];

/** One file that runs programs on a runtime, for tests that start them. */
function singleFile({ name, command: [program = "", ...words] }) {
  if (words.length === 0) return program;
  const file = path.join(folder, name);
  writeFileSync(file, `#!/bin/sh\nexec '${program}' ${words.join(" ")} "$@"\n`, { mode: 0o755 });
  return file;
}

/** Runs a part, and gives how many tests have passed and the names of those that have not. */
function runPart(runtime, part) {
  const { name } = runtime;
  const isStarting = STARTING.includes(part);
  const [program = "", ...words] = isStarting ? [process.execPath] : runtime.command;
  const env = isStarting ? { ...process.env, TOOLWRIGHT_TEST_RUNTIME: singleFile(runtime) } : process.env;
  const file = path.join(folder, `${name}-${part.replaceAll("/", "-")}.json`);
  const vitest = ["node_modules/vitest/vitest.mjs", "run", part, "--root", ".", "--config"];
  const reporters = ["--reporter=dot", "--reporter=json", `--outputFile.json=${file}`];
  const args = [...words, ...vitest, "tests/runtimes/vitest.config.ts", ...reporters];
  spawnSync(program, args, { cwd: root, env, stdio: "ignore", timeout: LONGEST_PART_MS });
  if (!existsSync(file)) return { passed: 0, failed: [`${part} > did not end, or crashed`] };
  const { numPassedTests, testResults } = JSON.parse(readFileSync(file, "utf8"));
  const failed = testResults.flatMap(({ name: test, status, assertionResults }) => {
    const short = path.relative(root, test).split(path.sep).join("/");
    const names = assertionResults.filter((each) => each.status === "failed").map(({ fullName }) => fullName);
    return status === "failed" && names.length === 0 ? [`${short} > loads`] : names.map((each) => `${short} > ${each}`);
  });
  return { passed: numPassedTests, failed };
}

/** Runs all parts on a runtime; gives whether nothing failed but what is known. */
function runOn(runtime) {
  const version = spawnSync(runtime.command[0], ["--version"], { encoding: "utf8" }).stdout.split("\n")[0];
  console.log(`\n${runtime.name} (${version})`);
  const total = { passed: 0, known: 0, failed: 0 };
  for (const part of [...PARTS, ...STARTING].filter((each) => existsSync(path.join(root, each)))) {
    const { passed, failed } = runPart(runtime, part);
    const surprises = failed.filter((test) => reasonOf(runtime.name, test) === undefined);
    total.passed += passed;
    total.known += failed.length - surprises.length;
    total.failed += surprises.length;
    console.log(`  ${part.padEnd(40)} ${`${passed}`.padStart(5)} passed, ${failed.length} failed`);
    for (const test of failed) console.log(`    ${reasonOf(runtime.name, test) ?? "NOT KNOWN"}: ${test}`);
  }
  console.log(`  ${total.passed} passed, ${total.known} failed as is known, ${total.failed} failed otherwise`);
  return total.failed === 0;
}

try {
  const runtimes = bringRuntimes(process.argv.slice(2));
  const verdicts = runtimes?.map(runOn) ?? [false];
  process.exitCode = verdicts.every(Boolean) ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true });
}
