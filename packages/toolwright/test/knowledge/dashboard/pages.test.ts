import { evaluate } from "@toolwright/knowledge/evaluation/evaluate.js";
import { expect, test } from "vitest";
import { mainOf, openSite as openTasks, textOf } from "../../todo/dashboard/kit.js";
import { DOCUMENTS, openSite, type Site } from "./kit.js";

const pageOf = async (site: Site, path: string): Promise<{ status: number; main: string; text: string }> => {
  const answer = await site.get(path);
  const main = mainOf(await answer.text());
  return { status: answer.status, main, text: textOf(main) };
};

/** The places that the main part of a page leads to. */
const linksIn = (main: string): string[] =>
  [...main.matchAll(/href="([^"]+)"/g)].map(([, place = ""]) => place.replaceAll("&amp;", "&"));

test("without tasks, knowledge is the first page", async () => {
  const site = await openSite();
  const answer = await site.get("/");
  expect([answer.status, answer.headers.get("location")]).toEqual([303, "/knowledge"]);
  expect((await pageOf(site, "/knowledge")).text).toContain(
    "There are no collections yet. Create one from files with toolwright kb ingest PATH",
  );
});

test("without a knowledge base there are no pages about it", async () => {
  const site = await openTasks();
  expect((await site.get("/knowledge")).status).toBe(404);
  expect(await (await site.get("/")).text()).not.toContain("/knowledge");
});

test("a collection has its versions, its documents, and the way to each", async () => {
  const site = await openSite();
  await site.fill("guides", DOCUMENTS);
  await site.call("kb_ingest", { collection: "guides", texts: [{ name: "new.md", text: "# New\n\nSomething new." }] });
  await site.call("kb_pin", { collection: "guides", version: 1 });
  expect((await pageOf(site, "/knowledge")).text).toMatch(
    /guides 3 documents, \d passages, 234 B, updated .* Active Version 1 Pinned/,
  );
  const { text, main } = await pageOf(site, "/knowledge/collections/guides");
  expect(text).toMatch(/2 Active 4 \d 1 added since 1 static-en-2 just now 1 Pinned 3 \d 3 added/);
  expect(text).toContain("Limits guides/limits.md Sessions guides/sessions.md");
  expect(text).toContain("version 2 built");
  const document = linksIn(main).find((place) => place.startsWith("/knowledge/documents/")) ?? "";
  expect((await pageOf(site, document)).text).toContain("# Limits The rate limit lets a client");
});

test("a search shows marked words, the place, and numbers that add up", async () => {
  const site = await openSite();
  await site.fill("guides", DOCUMENTS);
  const { main, text } = await pageOf(site, "/knowledge/search?q=rate+limit&in=guides");
  expect(main).toContain("The <mark>rate</mark> <mark>limit</mark> lets a client");
  expect(text).toContain("Limits guides/limits.md:1-3 version 1");
  const first = text.slice(0, text.indexOf("Word From"));
  const [, words, vector, together] =
    /words \(BM25\) [\d.]+ \d [\d.]+ [\d.]+ ([\d.]+) meaning \(cosine\) [\d.]+ \d [\d.]+ [\d.]+ ([\d.]+) total ([\d.]+)/.exec(
      first,
    ) ?? [];
  expect(Number(words) + Number(vector)).toBeCloseTo(Number(together), 2);
  const alone = await pageOf(site, "/knowledge/search?q=rate+limit&mode=words");
  expect(alone.text).not.toContain("meaning (cosine)");
});

test("a passage leads to its document, with its lines marked", async () => {
  const site = await openSite();
  const lines = Array.from({ length: 300 }, (_, at) => `Filler number ${at} is here.`);
  await site.fill("guides", { "long.txt": `${lines.join("\n")}\n\nThe walrus sleeps on the ice.\n` });
  const { main } = await pageOf(site, "/knowledge/search?q=walrus");
  const place = linksIn(main).find((each) => each.includes("passage=")) ?? "";
  expect(place).toMatch(/^\/knowledge\/documents\/doc_[0-9a-f]{16}\?version=1&passage=chk_[0-9a-f]{24}#passage$/);
  const document = await pageOf(site, place);
  expect(document.main).toContain('<li class="cited"><mark>The walrus sleeps on the ice.</mark></li>');
  expect(document.main).toMatch(/<li class="cited" id="passage">/);
  expect(document.text).toMatch(/Lines \d+ to 302 are cited/);
});

test("quality over versions is a chart, and a table for those who see none", async () => {
  const site = await openSite();
  await site.fill("guides", DOCUMENTS);
  const before = await pageOf(site, "/knowledge/collections/guides");
  expect(before.text).toContain("Quality over versions Not measured yet");
  const questions = [{ question: "how often can a client call", relevant: ["guides/limits.md"] }];
  await evaluate(site.context, { collection: "guides", questions, save: true });
  const { main, text } = await pageOf(site, "/knowledge/collections/guides");
  expect(main).toContain("<title>version 1: 1 recall@10, 1 nDCG@10</title>");
  expect(text).toContain(
    "Version Questions recall@1 recall@5 recall@10 precision@10 MRR nDCG@10 1 1 1.000 1.000 1.000",
  );
});

test("what is not there is said, with a status", async () => {
  const site = await openSite();
  await site.fill("guides", DOCUMENTS);
  for (const [path, status, words] of [
    ["/knowledge/collections/giudes", 404, "Did you mean &quot;guides&quot;?"],
    ["/knowledge/documents/doc_0", 404, "no document has this id"],
    ["/knowledge/search?q=%22open&in=guides", 200, "The query was searched as plain words"],
    ["/knowledge/search?q=a&in=nobody", 404, "There is no collection"],
  ] as const) {
    const page = await pageOf(site, path);
    expect([path, page.status, page.text.includes(words)]).toEqual([path, status, true]);
  }
  expect((await site.get("/knowledge/other")).status).toBe(404);
});

test("texts of strangers are texts", async () => {
  const site = await openSite();
  await site.fill("guides", { "<img src=x>.md": "# <script>alert(1)</script>\n\nhostile <b>bold</b> words\n" });
  for (const path of ["/knowledge/collections/guides", "/knowledge/search?q=hostile+%3Ci%3E"]) {
    const { main } = await pageOf(site, path);
    expect(main).not.toMatch(/<(?:script|img|b|i)>/);
    expect(main).toContain("&lt;");
  }
});
