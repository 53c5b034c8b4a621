import { expect, test } from "vitest";
import { textOf } from "../../../../tests/support/tool-calls.js";
import { makeFolder, openBench, putFile } from "../kit.js";

const HANDLER = `app.post("/webhooks/payments", async (req, res) => {
  await orders.pay(req.body.id);
});
`;
const SIGNED = HANDLER.replace("  await", "  if (!timingSafeEqual(want, sent)) return;\n  await");

/** Returns the diff of a new file. */
function added(file: string, text: string): string {
  const lines = text.trimEnd().split("\n");
  return `--- /dev/null\n+++ b/${file}\n@@ -0,0 +1,${lines.length} @@\n${lines.map((line) => `+${line}\n`).join("")}`;
}

test("a diff returns a check box for each pattern, with its check and places", async () => {
  const { client } = await openBench();
  const diff = added("src/a.ts", HANDLER) + added("src/b.ts", HANDLER);
  const text = textOf(await client.callTool("tmkb_checklist", { diff, limit: 1 }));
  expect(text).toBe(`## Threats to check

### Jobs, webhooks and events

- [ ] **TMKB-ASYNC-001** (high): Does the handler compare an HMAC of the raw body with the header before it parses or acts? (\`src/a.ts:1\`, \`src/b.ts:1\`)

1 less severe pattern was left out.
`);
});

test("a visible check is listed too, because it can be wrong", async () => {
  const { client } = await openBench();
  const text = textOf(await client.callTool("tmkb_checklist", { diff: added("src/a.ts", SIGNED) }));
  expect(text).toContain("(`src/a.ts:1`; a check is visible)");
});

test("a task description returns the patterns of a query", async () => {
  const { call } = await openBench();
  const context = "a webhook endpoint for payment events";
  const { checks } = (await call("tmkb_checklist", { context })) as unknown as {
    readonly checks: readonly Record<string, unknown>[];
  };
  expect(checks[0]).toMatchObject({ id: "TMKB-ASYNC-001", places: [], count: 0, visible: false });
});

test("patterns beyond the limit are counted", async () => {
  const { call } = await openBench();
  const found = await call("tmkb_checklist", { diff: added("a.ts", HANDLER), limit: 1 });
  expect(found).toMatchObject({ left_out: 1 });
  expect(found["markdown"]).toContain("1 less severe pattern was left out");
});

test("empty input is rejected", async () => {
  const { fail } = await openBench();
  expect((await fail("tmkb_checklist", { context: " " })).text).toContain("needs context, diff or files");
});

test("coverage counts families, files and lines, and lists unaffected families", async () => {
  const root = await makeFolder();
  await putFile(root, "src/a.ts", HANDLER);
  await putFile(root, "src/b.ts", SIGNED);
  await putFile(root, "made/c.ts", HANDLER);
  await putFile(root, ".gitignore", "made/\n");
  await putFile(root, "README.md", HANDLER);
  const { call } = await openBench({ roots: [root] });
  const found = (await call("tmkb_coverage")) as unknown as {
    readonly files: number;
    readonly families: readonly Record<string, unknown>[];
    readonly untouched: readonly string[];
    readonly notes: readonly string[];
  };
  expect(found.files).toBe(2);
  expect(found.families).toMatchObject([
    {
      family: "async",
      files: 2,
      lines: 4,
      unchecked: 3,
      patterns: [
        { id: "TMKB-ASYNC-001", lines: 2, unchecked: 1, places: ["src/a.ts:1", "src/b.ts:1"] },
        { id: "TMKB-ASYNC-002", lines: 2, unchecked: 2 },
      ],
    },
  ]);
  expect(found.untouched).toEqual(
    "authz tenant authn logic input files outbound crypto fail supply config privacy browser agent".split(" "),
  );
  expect(found.notes).toEqual([]);
});

test("coverage reports that files were skipped", async () => {
  const root = await makeFolder();
  await putFile(root, "a.ts", "");
  await putFile(root, "b.ts", "");
  const { call } = await openBench({ roots: [root] });
  expect(await call("tmkb_coverage", { max_files: 1 })).toMatchObject({
    files: 1,
    notes: ["Only the first 1 files were scanned."],
  });
});
