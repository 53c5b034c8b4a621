import { spawnSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { main } from "../../cli/listening.js";
import { openGuides } from "./run.js";

test("a folder becomes a collection of its name, and is found, read, cited and asked", async () => {
  const { good, json, kb } = openGuides();
  expect(await good("ingest", "guides")).toBe(
    "✓ guides version 1 is active: 2 documents, 2 passages\n2 added, 0 modified, 0 removed, 0 unchanged",
  );
  const found = await good("search", "rate limit", "-n", "1");
  expect(found).toMatch(/^ 1 Limits {2,}\d\.\d{3}\n {3}guides\/limits\.md:1 {2}chk_[0-9a-f]{24}\n/);
  expect(found).toContain("The rate limit lets a client call a hundred times a minute.");
  expect(found).toMatch(/\n1 of \d passages, by words and static-en-2, [\d.]+ ms$/);
  const { results } = (await json("search", "rate limit")) as { results: { chunk_id: string; document_id: string }[] };
  const { chunk_id: passage, document_id: document } = results[0] as (typeof results)[number];
  expect((await good("search", "rate limit", "--quiet")).split("\n")[0]).toBe(passage);
  expect(await good("cite", passage)).toContain("  guides/limits.md:1-3  ✓ verified\n  guides version 1\n");
  expect(await good("cite", passage, "--format", "ris")).toMatch(/^TY {2}- /);
  expect(await good("get", document, "--lines", "3", "-q")).toBe(
    "The rate limit lets a client call a hundred times a minute.",
  );
  expect(await good("get", "guides/limits.md", "--outline")).toContain(passage);
  expect(await good("answer", "How often can a client call in a minute?")).toMatch(
    /^The rate limit lets a client call a hundred times a minute\. \[1\]\n\n\[1\] Limits {2}guides\/limits\.md:1 {2}chk_/,
  );
  expect(await kb("answer", "Who won the cup in Lisbon?")).toMatchObject({ status: 1, stdout: "" });
});

test("--explain shows every partial score", async () => {
  const { good } = openGuides();
  await good("ingest", "guides");
  const shown = await good("search", "rate", "limit", "-n", "1", "--explain");
  expect(shown).toMatch(
    /retriever +rank +score +normalised +weight +part\n +words \(BM25\) +1 +[\d.]+ +1\.000 +([\d.]{4}) +\1/,
  );
  expect(shown).toMatch(
    /rerank score +value\n +query terms in the best window +1\.000\n +adjacent query terms close together +1\.000\n/,
  );
  expect(shown).toMatch(/term +from +here +passages +idf +weight +part\n +limit +query/);
});

test("versions come and go: delta, no promotion, rollback, pin, delete", async () => {
  const place = openGuides();
  const { good, json, kb } = place;
  await good("ingest", "guides");
  place.write("guides/new.md", "# New\n\nA walrus.\n");
  rmSync(path.join(place.cwd, "guides/sessions.md"));
  expect(await good("ingest", "guides", "--dry-run")).toContain(
    "1 added, 0 modified, 1 removed, 1 unchanged\nThis was a dry run",
  );
  expect(await good("ingest", "guides", "--no-promote")).toContain(
    "version 2 is ready and not active: 2 documents, 2 passages\nTo make it active, run: toolwright kb promote guides 2",
  );
  const answers = () => json("versions", "guides");
  expect(await answers()).toMatchObject({ active: 1, pinned: null });
  expect(await good("promote", "guides")).toBe("✓ Version 2 of guides is active instead of 1");
  expect(await good("rollback", "guides")).toBe("✓ Version 1 of guides is active instead of 2");
  expect(await good("pin", "guides", "1")).toBe("✓ Version 1 of guides is pinned");
  expect((await kb("promote", "guides", "2")).stderr).toContain("! Version 1 is pinned");
  expect(await answers()).toMatchObject({ active: 2, pinned: 1 });
  expect(await good("versions", "guides")).toMatch(/2 {2}○ active .* 1: \+1 ~0 −1 .*\n +1 {2}● pinned/);
  expect(await good("unpin", "guides")).toBe("✓ No version of guides is pinned; version 2 is active");
  expect(await kb("delete", "guides")).toMatchObject({ status: 2 });
  expect(await good("delete", "guides", "--yes")).toBe("✓ Deleted guides: 2 versions, 3 documents");
  expect((await kb("list")).stderr).toBe("No collections. To create one, run: toolwright kb ingest PATH\n");
});

test("documents that cannot be taken are listed with the reason", async () => {
  const { good, write } = openGuides();
  write("guides/broken.pdf", "%PDF-1.4 nothing more");
  write("guides/noise.txt", new TextEncoder().encode("\0\u{1} noise, and more of it"));
  const shown = await good("ingest", "guides");
  expect(shown).toMatch(/2 documents skipped\n {2}document +reason\n {2}guides\/broken\.pdf +it is a broken PDF/);
  expect(shown).toContain("guides/noise.txt   it is not text: it has NUL bytes");
  // The second time, what has not changed is no news.
  expect(await good("ingest", "guides")).toMatch(/^✓ guides version 1 is up to date: .*[^]*\n2 documents skipped\n/);
});

test("a first dry run writes nothing, and a path that is not there makes nothing", async () => {
  const { good, kb } = openGuides();
  expect(await good("ingest", "guides", "--dry-run")).toMatch(/^guides would have 2 documents, 2 passages\n2 added/);
  expect(await kb("ingest", "giudes")).toEqual({
    status: 1,
    stdout: "",
    stderr: 'toolwright: "giudes" does not exist\n',
  });
  expect(await good("list", "--json")).toBe('{\n  "collections": []\n}');
});

test("questions are asked, kept, and guard what is promoted", async () => {
  const { good, kb, write, cwd } = openGuides();
  await good("ingest", "guides");
  const questions = [{ question: "how often can a client call", relevant: ["guides/limits.md"] }];
  writeFileSync(path.join(cwd, "golden.json"), JSON.stringify({ questions }));
  expect((await kb("evaluate", "guides")).stderr).toContain(
    "it has no saved questions. Provide questions, and save them for later evaluations.",
  );
  expect(await good("evaluate", "guides", "--questions", "golden.json", "--save")).toMatch(
    /^guides version 1, 1 question: ✓ passed\n[^]*recall@10 +1\.000 +0\.700\n/,
  );
  expect(await good("stats", "guides")).toContain("quality      recall@10 1.000, MRR 1.000, nDCG@10 1.000");
  rmSync(path.join(cwd, "guides/limits.md"));
  write("guides/other.md", "# Other\n\nNothing of that.\n");
  const refused = await kb("ingest", "guides");
  expect([refused.status, refused.stdout]).toEqual([
    1,
    expect.stringMatching(/version 2 failed its quality gates[^]*! .*failed "recall@10"/),
  ]);
  expect(await good("search", "rate limit", "-n", "1")).toContain("guides/limits.md:1");
  expect(await good("promote", "guides", "2", "--force")).toBe("✓ Version 2 of guides is active instead of 1");
  write("bad.json", "{");
  expect(await kb("evaluate", "guides", "--questions", "bad.json")).toMatchObject({ status: 2 });
});

test("a collection goes into a file and comes back under another name", async () => {
  const { good, kb } = openGuides();
  await good("ingest", "guides");
  expect(await good("export", "guides", "guides.kbpack")).toMatch(
    /^✓ Wrote version 1 to guides\.kbpack: 2 documents, 2 passages, [\d.]+ /,
  );
  expect(await good("import", "guides.kbpack", "--name", "copy")).toBe(
    "✓ copy version 1 is active: 2 documents, 2 passages",
  );
  expect(await good("list", "--quiet")).toBe("copy\nguides");
  expect(await good("search", "rate limit", "-c", "copy", "-n", "1")).toContain("guides/limits.md:1");
  expect(await kb("export", "guides", "guides.zip")).toMatchObject({ status: 1 });
});

test("tools are bound to a collection, switched off, and forgotten", async () => {
  const { good, kb } = openGuides();
  await good("ingest", "guides");
  expect(await good("tool", "register", "ask_guides", "-c", "guides", "--operation", "answer")).toMatch(
    /^✓ ask_guides is active in every server/,
  );
  expect(await good("tool", "deactivate", "ask_guides")).toBe("✓ ask_guides is no longer listed");
  expect(await good("tool", "list")).toMatch(/ask_guides {2}inactive {2}answer +guides +active/);
  expect(await good("tool", "forget", "ask_guides")).toBe("✓ ask_guides is deleted");
  expect(await kb("tool", "register", "kb_mine", "-c", "guides")).toMatchObject({ status: 2 });
  expect(await kb("tool", "activate", "nobody")).toMatchObject({ status: 1 });
});

test("a command line that is wrong ends with 2, and says where help is", async () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, "kb", "serch", "x"], { encoding: "utf8" });
  expect({ status, stdout, stderr }).toEqual({
    status: 2,
    stdout: "",
    stderr: 'toolwright: Unknown command "kb serch"; did you mean search? Run "toolwright kb --help" for usage.\n',
  });
});

test("help lists every subcommand and option", async () => {
  const { stdout: help } = spawnSync(process.execPath, [main, "kb", "--help"], { encoding: "utf8" });
  for (const word of ["ingest", "search", "answer", "show", "cite", "list", "stats", "create", "versions", "promote"])
    expect(help).toMatch(new RegExp(`^  ${word}\\b`, "m"));
  expect(help.split("\n").filter((line) => line.length > 100)).toEqual([]);
});
