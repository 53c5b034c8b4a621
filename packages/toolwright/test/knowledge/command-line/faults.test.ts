import { existsSync, mkdirSync, realpathSync, rmSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { deadAddress } from "../../../../knowledge/test/embedders/kit.js";
import { openGuides, openPlace, type Place } from "./run.js";

/** Another folder of the same user. */
const openBeside = ({ env }: Place): Place =>
  openPlace({ XDG_STATE_HOME: env["XDG_STATE_HOME"], XDG_CACHE_HOME: env["XDG_CACHE_HOME"] });

test("a folder of the same name in another project does not take the place of the first", async () => {
  const first = openGuides();
  const second = openBeside(first);
  await first.good("ingest", "guides");
  const passage = await first.good("search", "rate limit", "-n", "1", "--quiet");
  second.write("guides/limits.md", "# Other limits\n\nNothing is said of them.\n");
  expect(await second.kb("ingest", "guides")).toEqual({
    status: 1,
    stdout: "",
    stderr: expect.stringMatching(
      /Cannot ingest into "guides": its documents are from .* Use another collection, or start in that folder\.\n$/,
    ),
  });
  expect(await first.good("ingest", "guides")).toContain("version 1 is up to date");
  expect(await second.good("stats", "guides")).toContain(`folder       ${realpathSync(first.cwd)}\n`);
  // The file is looked at where it is.
  expect(await second.good("cite", passage)).toContain("✓ verified");
  expect(await second.good("ingest", "guides", "-c", "others")).toContain("others version 1 is active");
});

test("a version that does not pass its gates is not said to wait for a promotion", async () => {
  const { good, kb, cwd } = openGuides();
  await good("ingest", "guides");
  for (const name of ["limits.md", "sessions.md"]) rmSync(path.join(cwd, "guides", name));
  const { status, stdout } = await kb("ingest", "guides");
  expect([status, stdout]).toEqual([
    1,
    expect.stringMatching(
      /^✗ guides version 2 failed its quality gates and is not active: 0 documents, 0 passages\n[^]*\n! .*failed "documents are there"/,
    ),
  ]);
  expect(stdout).toContain("To search it, run: toolwright kb search WORDS -c guides --version 2");
  expect(await kb("pin", "guides", "2")).toMatchObject({ status: 1, stdout: "" });
});

test("without vectors a version is not promoted, also with --quiet", async () => {
  const place = openGuides();
  const { good, kb, write } = place;
  expect(await good("ingest", "guides", "--no-embed", "-q")).toBe("");
  expect(await good("ingest", "guides")).toMatch(/^✓ guides version 2 is active: 2 documents/);
  expect(await good("ingest", "guides")).toMatch(/^✓ guides version 2 is up to date: 2 documents/);
  const embedder = { kind: "openai", url: await deadAddress(), model: "tiny", dimension: 3 };
  write("toolwright.config.json", JSON.stringify({ packs: { knowledge: { embedder } } }));
  write("guides/new.md", "# New\n\nA walrus.\n");
  const { status, stdout, stderr } = await kb("ingest", "guides", "-q");
  expect([status, stdout]).toEqual([1, ""]);
  expect(stderr).toMatch(/^! There are no vectors.*\n! Version 2, which has vectors, stays active until then/);
});

test("rejects an empty list of questions, and reports unknown passages", async () => {
  const { good, kb, write } = openGuides();
  await good("ingest", "guides");
  const questions = [{ question: "how often can a client call", relevant: ["guides/limits.md", "guides/none.md"] }];
  write("golden.json", JSON.stringify(questions));
  expect((await kb("evaluate", "guides", "--questions", "golden.json", "--save", "-q")).stderr).toBe(
    "! Version 1 does not contain guides/none.md: no search can find that.\n",
  );
  write("empty.json", "[]");
  expect(await kb("evaluate", "guides", "--questions", "empty.json")).toMatchObject({
    status: 1,
    stdout: "",
    stderr: expect.stringContaining("the list of questions is empty"),
  });
});

test("what only reads makes no knowledge base", async () => {
  const { kb, good, cwd } = openGuides();
  for (const words of [["list"], ["search", "x"], ["stats"], ["promote", "guides"], ["delete", "guides", "--yes"]])
    expect(await kb(...words, "--database", "typo/x.db")).toEqual({
      status: 1,
      stdout: "",
      stderr: 'toolwright: There is no knowledge base "typo/x.db". To create it, run: toolwright kb ingest\n',
    });
  expect(await good("ingest", "guides", "--dry-run", "--database", "typo/x.db")).toContain("would have 2 documents");
  expect(existsSync(path.join(cwd, "typo"))).toBe(false);
  mkdirSync(path.join(cwd, "typo"));
  await good("ingest", "guides", "--database", "typo/x.db");
  expect(await good("list", "-q", "--database", "typo/x.db")).toBe("guides");
});

test("a path in several collections is reported with their names, and -c selects one", async () => {
  const { good, kb } = openGuides();
  for (const name of ["alpha", "beta"]) await good("ingest", "guides", "-c", name);
  const { status, stderr } = await kb("get", "guides/limits.md");
  expect([status, stderr]).toEqual([
    2,
    expect.stringMatching(/is in several collections\. Choose one with -c: alpha \(doc_\w+\), beta \(doc_\w+\)/),
  ]);
  expect(await good("get", "guides/limits.md", "-c", "beta")).toContain("beta version 1");
  expect(await kb("get", "guides/limits.md", "-c", "gamma")).toMatchObject({ status: 1 });
});

test("a word that is empty is none", async () => {
  const { kb } = openGuides();
  for (const words of [[""], [" ", ""]])
    expect(await kb("search", ...words)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("toolwright: Missing argument QUERY"),
    });
});
