import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { missing } from "../../../../tests/conformance/suite.js";
import { findYoungNode } from "../../../../tests/support/young-node.js";

const packages = fileURLToPath(new URL("../../../../node_modules/.cache/conformance/node_modules/", import.meta.url));
const suite = `${packages}conformance-0.2/dist/index.js`;
const driver = fileURLToPath(new URL("suite-driver.mjs", import.meta.url));

/** Runs a scenario of the suite, and returns the status of each check. */
async function judge(
  scenario: string,
  revision: string,
): Promise<{ exitCode: unknown; passed: number; others: string[] }> {
  const folder = mkdtempSync(path.join(tmpdir(), "conformance-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const command = `"${process.execPath}" "${driver}"`;
  const options = ["--scenario", scenario, "--spec-version", revision, "--output-dir", folder];
  const child = spawn(findYoungNode() ?? "", [suite, "client", "--command", command, ...options], { stdio: "ignore" });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [exitCode] = await once(child, "close");
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith("checks.json"),
  );
  const checks = files.flatMap(
    (name) => JSON.parse(readFileSync(path.join(folder, name), "utf8")) as { name: string; status: string }[],
  );
  const others = checks.filter(({ status }) => status !== "SUCCESS" && status !== "INFO");
  return {
    exitCode,
    passed: checks.filter(({ status }) => status === "SUCCESS").length,
    others: others.map(({ name, status }) => `${name}: ${status}`),
  };
}

/** Messages that a stateless client never sends, which the suite skips. */
const unsent = [
  "ClientMcpMethodHeader_initialize: SKIPPED",
  "ClientMcpMethodHeader_notifications_initialized: SKIPPED",
];

/** Every client scenario except OAuth and unsupported extensions, with its number of checks. */
const scenarios: [scenario: string, revision: string, checks: number, others?: string[]][] = [
  ["initialize", "2025-06-18", 1],
  ["initialize", "2025-11-25", 1],
  ["tools_call", "2025-06-18", 2],
  ["tools_call", "2025-11-25", 2],
  ["tools_call", "2026-07-28", 2],
  ["elicitation-sep1034-client-defaults", "2025-11-25", 5],
  ["sse-retry", "2025-11-25", 3],
  ["request-metadata", "2026-07-28", 8],
  ["sep-2322-client-request-state", "2026-07-28", 5],
  ["http-standard-headers", "2026-07-28", 9, unsent],
  ["http-custom-headers", "2026-07-28", 18],
  ["http-invalid-tool-headers", "2026-07-28", 12],
  ["json-schema-ref-no-deref", "2026-07-28", 1],
  ["json-schema-2020-12-preservation", "2025-11-25", 9],
  ["json-schema-2020-12-preservation", "2026-07-28", 9],
];

const why = missing || (existsSync(suite) ? "" : " (skipped: the suite is not installed)");

test.skipIf(why !== "").each(scenarios)(
  `the official suite passes the client in %s at %s${why}`,
  async (scenario, revision, passed, others = []) => {
    expect(await judge(scenario, revision)).toEqual({ exitCode: 0, passed, others });
  },
);
