import type { JsonObject } from "@toolwright/engine";
import { expect, test, vi } from "vitest";
import { type Bench, openBench } from "../kit.js";

const UPDATED = "notifications/resources/updated";

const PAGES = { "a.md": "# Backups\n\nBackups are kept for thirty days.", "b.md": "# Users\n\nUsers have names." };

async function idOf(bench: Bench, query: string): Promise<string> {
  const { results } = await bench.call("kb_hybrid_search", { collection: "docs", query });
  return (results as { document_id: string }[])[0]?.document_id ?? "";
}

const textsOf = ({ contents }: JsonObject): string[] => (contents as { text: string }[]).map(({ text }) => text);

test("a collection shows its numbers and documents, a document its text", async () => {
  const bench = await openBench();
  await bench.fill("docs", PAGES);
  const [json = "", text] = textsOf(await bench.client.readResource("kb://docs"));
  expect(JSON.parse(json)).toMatchObject({ collection: "docs", version: 1, documents: 2 });
  expect(text).toContain("Version 1: 2 documents, 2 passages.");
  const id = await idOf(bench, "backups");
  expect(text).toContain(`- ${id} a.md: Backups`);
  expect(textsOf(await bench.client.readResource(`kb://docs/${id}`))[0]).toBe(PAGES["a.md"]);
});

test("collections are listed, and names are completed", async () => {
  const bench = await openBench();
  await bench.fill("docs", PAGES);
  await bench.call("kb_create", { name: "zoo" });
  const { resources } = await bench.client.request("resources/list", {});
  expect((resources as JsonObject[]).map(({ uri }) => uri)).toEqual(["kb://docs", "kb://zoo"]);
  const complete = async (uri: string, name: string, value: string, others: JsonObject = {}): Promise<unknown> => {
    const ref = { type: "ref/resource", uri };
    const params = { ref, argument: { name, value }, context: { arguments: others } };
    return ((await bench.client.request("completion/complete", params))["completion"] as JsonObject)["values"];
  };
  expect(await complete("kb://{collection}", "collection", "do")).toEqual(["docs"]);
  const document = await complete("kb://{collection}/{document}", "document", "user", { collection: "docs" });
  expect(document).toEqual([await idOf(bench, "users names")]);
  expect(await complete("kb://{collection}/{document}", "document", "x", { collection: "none" })).toEqual([]);
});

test("what is not there is no resource, nor is a document below another collection", async () => {
  const bench = await openBench();
  await bench.fill("docs", PAGES);
  await bench.fill("zoo", { "c.md": "# Lions\n\nLions sleep by day." });
  const id = await idOf(bench, "backups");
  for (const uri of ["kb://none", "kb://docs/doc_none", `kb://zoo/${id}`])
    await expect(bench.client.readResource(uri)).rejects.toThrow("not found");
});

test("subscribers are notified of a promotion by any server", async () => {
  const bench = await openBench({ revision: "2025-11-25" });
  await bench.fill("docs", PAGES);
  const id = await idOf(bench, "backups");
  const { state, database, folder } = bench;
  const other = await openBench({ revision: "2025-11-25", state, database, folder });
  await other.client.readResource("kb://docs");
  for (const uri of ["kb://docs", `kb://docs/${id}`]) await other.client.request("resources/subscribe", { uri });
  await bench.call("kb_ingest", { collection: "docs", texts: [{ name: "a.md", text: "# Backups\n\nNone are kept." }] });
  await vi.waitFor(
    () => {
      const updated = other.client.received(UPDATED).map(({ params }) => (params as JsonObject)["uri"]);
      expect(updated).toContain("kb://docs");
      expect(updated).toContain(`kb://docs/${id}`);
    },
    { timeout: 20_000 },
  );
});

test("the prompts name the collection, the question and the tools to use", async () => {
  const bench = await openBench();
  await bench.fill("docs", PAGES);
  const get = async (name: string, args: JsonObject): Promise<string> =>
    JSON.stringify(await bench.client.request("prompts/get", { name, arguments: args }));
  const answer = await get("answer-with-citations", { question: "How long?", collection: "docs" });
  for (const word of ["How long?", "docs", "kb_hybrid_search", "kb_resolve_citations"]) expect(answer).toContain(word);
  const compare = await get("compare-versions", { question: "How long?", collection: "docs", from: "1", to: "2" });
  for (const word of ["kb_versions", "compare 1 with 2", "compare-versions"]) expect(compare).toContain(word);
});
