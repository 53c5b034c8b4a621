import { describe, expect, test } from "vitest";
import { textOf } from "../../../../tests/support/tool-calls.js";
import { makeFolder, openBench, putFile, samplePattern } from "../kit.js";

interface Found {
  readonly files: number;
  readonly findings: number;
  readonly patterns: readonly {
    readonly id: string;
    readonly severity: string;
    readonly count: number;
    readonly cwe: readonly string[];
    readonly findings: readonly Record<string, unknown>[];
  }[];
  readonly left_out: readonly { readonly id: string }[];
  readonly consider: readonly { readonly id: string; readonly because: string }[];
  readonly notes: readonly string[];
}

/** Reviews one text. */
async function look(path: string, text: string, more = {}): Promise<Found> {
  const { call } = await openBench();
  return (await call("tmkb_review", { texts: [{ path, text }], ...more })) as unknown as Found;
}

const idsIn = ({ patterns }: Found): readonly string[] => patterns.map(({ id }) => id);

const HANDLER = `app.post("/webhooks/payments", async (req, res) => {
  await orders.pay(req.body.id);
  res.sendStatus(204);
});
`;
const SIGNED = HANDLER.replace("  await", "  if (!timingSafeEqual(want, sent)) return res.sendStatus(401);\n  await");

describe("findings", () => {
  test("a finding has line, text, function, missing check, fix and CWE", async () => {
    const { patterns } = await look("src/hooks.ts", `const a = 1;\n\n${HANDLER}`, {
      category: "async",
      severity: "high",
    });
    expect(patterns).toEqual([
      {
        id: "TMKB-ASYNC-001",
        name: "Webhook accepted without checking its signature",
        category: "async",
        severity: "high",
        check: expect.stringContaining("HMAC"),
        fix: expect.stringContaining("401"),
        cwe: ["CWE-345", "CWE-347"],
        count: 1,
        findings: [
          {
            file: "src/hooks.ts",
            line: 3,
            text: 'app.post("/webhooks/payments", async (req, res) => {',
            function: "/webhooks/payments",
            missing: expect.stringContaining("no signature is compared"),
            confidence: "medium",
          },
        ],
      },
    ]);
  });

  test("a check in the same function prevents a finding", async () => {
    expect(idsIn(await look("src/hooks.ts", SIGNED))).not.toContain("TMKB-ASYNC-001");
  });

  test("a check in another function does not", async () => {
    const found = await look("src/hooks.ts", SIGNED.replace("payments", "other") + HANDLER, { severity: "high" });
    expect(found.patterns.flatMap(({ id, findings }) => findings.map(({ line }) => [id, line]))).toEqual([
      ["TMKB-ASYNC-001", 6],
    ]);
  });

  test("a check for the whole file lowers the confidence", async () => {
    const found = await look("src/hooks.ts", `app.use(verifySignature(secret));\n${HANDLER}`, { severity: "high" });
    expect(found.patterns.flatMap(({ findings }) => findings.map(({ confidence }) => confidence))).toEqual(["low"]);
  });

  test("an import is not a check", async () => {
    const found = await look("src/a.ts", `import { timingSafeEqual } from "node:crypto";\n${HANDLER}`, {
      severity: "high",
    });
    expect(found.patterns.flatMap(({ findings }) => findings.map(({ confidence }) => confidence))).toEqual(["medium"]);
  });

  test.each([
    ["a comment", "  // timingSafeEqual(a, b) is done by the proxy\n"],
    ["a text", '  const note = "call timingSafeEqual(a, b) one day";\n'],
  ])("%s is no check", async (_what, line) => {
    expect(idsIn(await look("src/hooks.ts", HANDLER.replace("  await", `${line}  await`)))).toContain("TMKB-ASYNC-001");
  });

  test("comments, docstrings and prose are not risks", async () => {
    const code = `def one(x):\n    """Like os.system(x)."""\n    # os.system(x)\n    return "never os.system(x)"\n`;
    expect((await look("one.py", code)).findings).toBe(0);
    expect(idsIn(await look("one.py", "def one(x):\n    os.system(x)\n"))).toContain("TMKB-INPUT-004");
  });

  test("decorators are part of their function", async () => {
    const code = `@app.route("/hooks/webhook", methods=["POST"])\ndef hook():\n    if not hmac.compare_digest(a, b):\n        abort(401)\n    return ""\n`;
    expect(idsIn(await look("app.py", code))).not.toContain("TMKB-ASYNC-001");
    expect(idsIn(await look("app.py", code.replace("hmac.compare_digest", "equal")))).toContain("TMKB-ASYNC-001");
  });

  test("the most severe pattern comes first, and those beyond the limit are counted", async () => {
    const code = `${HANDLER}\nconst run = (name) => exec(\`ls \${name}\`);\n`;
    const found = await look("src/hooks.ts", code, { limit: 1 });
    expect(found.patterns.map(({ id, severity }) => [id, severity])).toEqual([["TMKB-AGENT-003", "critical"]]);
    expect(found.left_out.map(({ id }) => id)).toContain("TMKB-ASYNC-001");
  });

  test("files without a grammar are scanned too", async () => {
    const found = await look(
      ".github/workflows/ci.yml",
      "jobs:\n  a:\n    steps:\n      # - uses: some/thing@v1\n      - uses: actions/checkout@v4\n",
    );
    expect(found.patterns.flatMap(({ id, findings }) => findings.map(({ line }) => [id, line]))).toEqual([
      ["TMKB-SUPPLY-002", 5],
    ]);
  });

  test("a file of an unknown type is skipped, with a note", async () => {
    const found = await look("notes.md", "os.system(x)");
    expect([found.files, found.findings, found.notes]).toEqual([
      0,
      0,
      ["Skipped, because their type is unknown: notes.md."],
    ]);
  });

  test("a file name can suggest a pattern", async () => {
    const { consider } = await look("app/webhooks/receive.py", "def receive():\n    return 1\n");
    expect(consider).toContainEqual({
      id: "TMKB-ASYNC-001",
      name: "Webhook accepted without checking its signature",
      because: "file names",
    });
  });

  test("the text of the result contains each pattern once", async () => {
    const { client } = await openBench();
    const texts = [1, 2].map((at) => ({ path: `src/${at}.ts`, text: HANDLER }));
    const text = textOf(await client.callTool("tmkb_review", { texts, severity: "high" }));
    expect(text.match(/TMKB-ASYNC-001/g)).toHaveLength(1);
    expect(text).toContain("- src/2.ts:1 in /webhooks/payments [medium]");
  });
});

describe("a diff", () => {
  const HEAD = "diff --git a/src/hooks.ts b/src/hooks.ts\n--- a/src/hooks.ts\n+++ b/src/hooks.ts\n";
  const lines = (text: string): string[] => text.trimEnd().split("\n");

  test("only added lines are scanned, with their numbers in the new file", async () => {
    const { call } = await openBench();
    const diff = `${HEAD}@@ -10,2 +10,3 @@\n function run(name) {\n+  exec(\`ls \${name}\`);\n }\n@@ -50,1 +51,1 @@\n   exec(\`old \${name}\`);\n`;
    const found = (await call("tmkb_review", { diff, category: "input" })) as unknown as Found;
    expect(found.patterns.flatMap(({ id, findings }) => findings.map(({ line }) => [id, line]))).toEqual([
      ["TMKB-INPUT-004", 11],
    ]);
  });

  test("a function that is incomplete is marked as cut", async () => {
    const { call } = await openBench();
    const diff = `${HEAD}@@ -10,1 +10,2 @@\n+${lines(HANDLER)[0]}\n   await orders.pay(req.body.id);\n`;
    const found = (await call("tmkb_review", { diff, severity: "high" })) as unknown as Found;
    expect(found.patterns[0]?.findings[0]).toMatchObject({ confidence: "low", context_cut: true, line: 10 });
    expect(found.notes).toEqual([expect.stringContaining("shows only in part")]);
  });

  test("if the file exists, the whole function is scanned", async () => {
    const root = await makeFolder();
    await putFile(root, "src/hooks.ts", SIGNED);
    const { call } = await openBench({ roots: [root] });
    const [first = "", , third = ""] = lines(SIGNED);
    const diff = `${HEAD}@@ -1,0 +1,1 @@\n+${first}\n@@ -3,1 +3,1 @@\n-  old\n+${third}\n`;
    const found = (await call("tmkb_review", { diff, severity: "high" })) as unknown as Found;
    expect([found.files, found.findings, found.notes]).toEqual([1, 0, []]);
  });

  test("a deleted file is skipped, and a new one is complete", async () => {
    const { call } = await openBench();
    const body = lines(HANDLER);
    const diff = `--- a/old.ts\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-exec(\`a \${b}\`)\n--- /dev/null\n+++ b/new.ts\n@@ -0,0 +1,${body.length} @@\n${body.map((line) => `+${line}`).join("\n")}\n`;
    const found = (await call("tmkb_review", { diff, severity: "high" })) as unknown as Found;
    expect(found.patterns.flatMap(({ findings }) => findings)).toMatchObject([
      { file: "new.ts", confidence: "medium" },
    ]);
  });

  test("a text that is not a diff is rejected", async () => {
    const { fail } = await openBench();
    expect((await fail("tmkb_review", { diff: "hello" })).text).toContain('no line that begins with "+++"');
  });
});

describe("files and filters", () => {
  test("files are read within the roots, and folders without ignored files", async () => {
    const root = await makeFolder();
    await putFile(root, "src/hooks.ts", HANDLER);
    await putFile(root, "made/hooks.ts", HANDLER);
    await putFile(root, "node_modules/a/hooks.ts", HANDLER);
    await putFile(root, ".gitignore", "made/\n");
    const { call, fail } = await openBench({ roots: [root] });
    const found = (await call("tmkb_review", { files: ["."], severity: "high" })) as unknown as Found;
    expect(found.patterns.flatMap(({ findings }) => findings.map(({ file }) => file))).toEqual(["src/hooks.ts"]);
    expect((await fail("tmkb_review", { files: ["../other.ts"] })).code).toBe("FORBIDDEN_PATH");
    expect((await fail("tmkb_review", { files: ["src/hook.ts"] })).text).toContain("src/hooks.ts");
  });

  test("no source, or two sources, are rejected", async () => {
    const { fail } = await openBench();
    expect((await fail("tmkb_review")).text).toContain("exactly one of diff, files and texts is needed");
    expect((await fail("tmkb_review", { diff: "", texts: [{ path: "a.ts", text: "" }] })).text).toContain(
      "exactly one of diff, files and texts is needed, and 2 are given",
    );
  });

  test("a misspelled family is rejected with a suggestion", async () => {
    const { fail } = await openBench();
    const texts = [{ path: "a.ts", text: "" }];
    expect((await fail("tmkb_review", { texts, category: "autz" })).text).toContain("Did you mean authz?");
    expect((await fail("tmkb_review", { texts, severity: "hihg" })).text).toContain('did you mean "high"?');
    expect((await fail("tmkb_review", { texts, language: "pyton" })).text).toContain("Did you mean python?");
  });

  test("a text with more statements than a function call can have arguments is scanned", async () => {
    const { call } = await openBench();
    const text = `${";".repeat(1999).concat("\n").repeat(75)}${HANDLER}`;
    const found = (await call("tmkb_review", {
      texts: [{ path: "a.ts", text }],
      category: "async",
    })) as unknown as Found;
    expect(idsIn(found)).toContain("TMKB-ASYNC-001");
  });

  test("a user check that takes too long is skipped, and the others run", async () => {
    const patterns = await makeFolder();
    const own = (await samplePattern()).replace(
      /automated_checks:[\s\S]*?(?=\n {4}\w)/,
      `automated_checks:\n      - type: code\n        description: "Slow"\n        pattern: '(?!x)${String.raw`\w*`.repeat(6)}!'`,
    );
    await putFile(patterns, "slow.yaml", own);
    const { call } = await openBench({ patternFolders: [patterns] });
    const text = `const long = ${"a".repeat(500)};\n${HANDLER}`;
    const found = (await call("tmkb_review", {
      texts: [{ path: "a.ts", text }],
      severity: "high",
    })) as unknown as Found;
    expect(found.notes).toEqual(["A check of TMKB-AUTHZ-900 was skipped: its regular expression takes too long."]);
    expect(idsIn(found)).toContain("TMKB-ASYNC-001");
  });

  test("if all checks together take too long, the rest is skipped with a note", async () => {
    const patterns = await makeFolder();
    const checks = Array.from(
      { length: 20 },
      (_, at) =>
        `      - type: code\n        description: "Slow"\n        pattern: '(?!${at})${String.raw`\w*`.repeat(6)}!'`,
    );
    const own = (await samplePattern()).replace(
      /automated_checks:[\s\S]*?(?=\n {4}\w)/,
      `automated_checks:\n${checks.join("\n")}`,
    );
    await putFile(patterns, "slow.yaml", own);
    const { call } = await openBench({ patternFolders: [patterns] });
    const texts = [
      { path: "long.ts", text: `const long = ${"a".repeat(500)};\n` },
      { path: "a.ts", text: HANDLER },
    ];
    const found = (await call("tmkb_review", { texts, severity: "high" })) as unknown as Found;
    expect(found.notes).toContainEqual(
      expect.stringMatching(/^Not all checks were run, because they take too long: long\.ts \(\d+ skipped\)\.$/),
    );
    expect(idsIn(found)).toContain("TMKB-ASYNC-001");
  });

  test.each([
    ["blocks that never end", "main.tf", "a{\n".repeat(170_000)],
    ["a chain of calls that are given functions", "a.ts", `a("x", () => 1)\n${'.b("x", () => 1)\n'.repeat(30_000)}`],
  ])("a review comes to its end with %s", async (_what, path, text) => {
    expect((await look(path, text)).files).toBe(1);
  });
});
