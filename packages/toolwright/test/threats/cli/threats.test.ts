import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { samplePattern } from "../../../../threats/test/kit.js";
import { folder, main } from "../../cli/listening.js";

/** An empty folder, and `toolwright threats` in it with nobody at a terminal. */
function openPlace() {
  const cwd = folder();
  const env = { ...process.env, HOME: cwd, GIT_CONFIG_NOSYSTEM: "1" };
  const run = (words: readonly string[], input = "") => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [main, "threats", ...words], {
      cwd,
      encoding: "utf8",
      env,
      input,
    });
    return { status, stdout, stderr };
  };
  const put = (name: string, text: string): void => {
    mkdirSync(path.dirname(path.join(cwd, name)), { recursive: true });
    writeFileSync(path.join(cwd, name), text);
  };
  const git = (...args: string[]): string =>
    execFileSync(
      "git",
      ["-c", "user.name=Ada", "-c", "user.email=ada@example.com", "-c", "commit.gpgsign=false", ...args],
      {
        cwd,
        env,
        encoding: "utf8",
      },
    );
  return { cwd, run, put, git };
}

const HANDLER = `app.post("/webhooks/payments", async (req, res) => {
  await orders.pay(req.body.id);
});
`;

describe("asking", () => {
  test("list has a line for each pattern: id, severity and tier, name", () => {
    const { stdout, status } = openPlace().run(["list", "--category", "tenant"]);
    expect(status).toBe(0);
    expect(stdout.split("\n")[0]).toBe("TMKB-TENANT-001    [critical/A]  Cache key without the tenant");
    expect(stdout.trimEnd().split("\n")).toHaveLength(5);
  });

  test("a severity that no pattern has is no mistake", () => {
    const { run } = openPlace();
    expect(run(["list", "--severity", "low"])).toMatchObject({ status: 0, stdout: "No matching patterns\n" });
    expect(run(["list", "--severity", "lwo"]).stderr).toContain("did you mean low?");
  });

  test("an unknown id suggests the nearest one and the list", () => {
    const { run } = openPlace();
    expect(run(["query", "-c", "qqqq"]).stdout).toContain("No pattern matches this context.");
    expect(run(["show", "x"]).stderr).toContain("To list all patterns, run: toolwright threats list");
  });

  test("query shows patterns and code, and with --json the answer for agents", () => {
    const { run } = openPlace();
    const ask = ["query", "-c", "a webhook endpoint for payment events", "-l", "python"];
    const text = run(ask).stdout;
    expect(text).toMatch(/^TMKB-ASYNC-001 {2}high {2}Webhook accepted without checking its signature\n {2}threat {2}/);
    expect(text).toContain("Secure code (python");
    expect(text).toContain("compare_digest");
    const answer = JSON.parse(run([...ask, "--format", "json"]).stdout);
    expect(answer.patterns[0].id).toBe("TMKB-ASYNC-001");
    expect(answer.token_count).toBeLessThanOrEqual(500);
  });

  test("get shows a pattern, with -f json as its file has it", () => {
    const { run } = openPlace();
    expect(JSON.parse(run(["get", "tmkb-async-001", "-f", "json"]).stdout)).toMatchObject({ id: "TMKB-ASYNC-001" });
  });

  test.each([
    [["lst"], 2, 'Unknown command "threats lst"; did you mean list?'],
    [["list", "--categroy", "authz"], 2, "did you mean --category?"],
    [["list", "--category", "autz"], 2, "did you mean authz?"],
    [["list", "-f", "jsn"], 2, "-f must be text or json"],
    [["list", "-f", "json", "--json"], 2, "--json cannot be used together with --format"],
    [["show"], 2, "Missing argument ID"],
    [["get", "TMKB-ASYNC-01"], 1, "Did you mean TMKB-ASYNC-001?"],
    [["query"], 2, "the task is missing"],
    [["query", "-c", "x", "-l", "pyton"], 1, "Invalid language 'pyton'. Supported languages: "],
    [["review", "--fail-on", "hihg"], 2, "did you mean high?"],
    [["review", "nowhere.ts"], 1, "nowhere.ts"],
    [["review", "nowhere.ts", "--diff", "-"], 2, "PATH cannot be used together with --diff and --base"],
    [["list", "-p", "nowhere"], 2, "Cannot read the folder"],
  ])("%j is rejected", (words, code, message) => {
    const { status, stderr } = openPlace().run(words);
    expect([status, stderr]).toEqual([code, expect.stringContaining(message)]);
  });
});

describe("patterns of the user's", () => {
  test("are checked with file, line and column", async () => {
    const { run, put } = openPlace();
    put("own/good.yaml", await samplePattern());
    const good = run(["validate", "-p", "own", "--all"]);
    expect([good.status, good.stdout]).toEqual([0, "1 pattern: 0 errors, 0 warnings; 5 of 5 queries pass\n"]);
    put("own/good.yaml", (await samplePattern()).replace("severity: high", "severity: hihg"));
    const bad = run(["validate", "-p", "own", "--all"]);
    expect(bad.status).toBe(1);
    expect(bad.stdout).toMatch(/^own\/good\.yaml:6:13: error: threat_pattern\.severity: /);
    expect(bad.stdout).toContain("1 error,");
  });
});

describe("review", () => {
  test("reviews the changes since the last commit, and fails with --fail", () => {
    const { run, put, git } = openPlace();
    git("init", "--quiet");
    put("src/old.ts", HANDLER);
    git("add", "--all");
    expect(run(["review"]).stdout).toContain("src/old.ts:1 in /webhooks/payments");
    git("commit", "--quiet", "-m", "first");
    expect(run(["review", "--fail-on", "low"])).toMatchObject({ status: 0, stdout: "Nothing to review\n" });
    put("src/new.ts", HANDLER);
    git("add", "--all");
    const found = run(["review", "--fail-on", "high"]);
    expect(found.status).toBe(1);
    expect(found.stdout).toContain(
      "high  TMKB-ASYNC-001  Webhook accepted without checking its signature  CWE-345, CWE-347",
    );
    expect(found.stdout).not.toContain("src/old.ts");
    git("checkout", "--quiet", "-b", "other");
    git("commit", "--quiet", "-m", "second");
    const since = run(["review", "--base", "HEAD~1", "--fail-on", "critical"]);
    expect([since.status, since.stdout]).toEqual([0, expect.stringContaining("src/new.ts:1")]);
  });

  test("reads a difference from stdin, and files by their names", () => {
    const { run, put } = openPlace();
    const diff = `--- /dev/null\n+++ b/a.ts\n@@ -0,0 +1,3 @@\n${HANDLER.trimEnd().replaceAll(/^/gm, "+")}\n`;
    expect(JSON.parse(run(["review", "--diff", "-", "-f", "json"], diff).stdout)).toMatchObject({
      files: 1,
      findings: 2,
    });
    put("b.ts", HANDLER);
    expect(run(["review", "b.ts", "--severity", "high"]).stdout).toContain("1 finding in 1 file");
  });

  test("SARIF has a rule for each pattern and a result for each place", () => {
    const { run, put } = openPlace();
    put("src/a b.ts", HANDLER);
    const log = JSON.parse(run(["review", "src", "--severity", "high", "-f", "sarif"]).stdout);
    expect([log.version, log.$schema]).toEqual(["2.1.0", "https://json.schemastore.org/sarif-2.1.0.json"]);
    const [{ tool, results }] = log.runs;
    const version = execFileSync(process.execPath, [main, "--version"], { encoding: "utf8" }).trim();
    expect(tool.driver).toMatchObject({ name: "toolwright", version });
    expect(tool.driver.rules).toMatchObject([
      {
        id: "TMKB-ASYNC-001",
        shortDescription: { text: "Webhook accepted without checking its signature" },
        defaultConfiguration: { level: "error" },
        properties: { tags: ["security", "async", "external/cwe/cwe-345", "external/cwe/cwe-347"] },
      },
    ]);
    expect(results).toMatchObject([
      {
        ruleId: "TMKB-ASYNC-001",
        ruleIndex: 0,
        level: "error",
        locations: [
          {
            physicalLocation: {
              artifactLocation: { uri: "src/a%20b.ts", uriBaseId: "SRCROOT" },
              region: { startLine: 1 },
            },
            logicalLocations: [{ name: "/webhooks/payments", kind: "function" }],
          },
        ],
      },
    ]);
  });

  test("coverage shows a table of families", () => {
    const { run, put } = openPlace();
    put("src/a.ts", HANDLER);
    const { stdout } = run(["coverage", "--quiet"]);
    expect(stdout).toMatch(
      /^1 file scanned\n\nfamily {2}patterns {2}files {2}lines {2}unchecked\nasync {10}2 {6}1 {6}2 {10}2\n/,
    );
    expect(stdout).toContain("Not affected: authz, tenant,");
  });
});
