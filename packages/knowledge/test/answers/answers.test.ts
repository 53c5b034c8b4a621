import type { JsonObject } from "@toolwright/engine";
import { describe, expect, test } from "vitest";
import { sentencesOf } from "../../src/answers/sentences.js";
import { openBench } from "../kit.js";

const PAGE = `# Backups

Backups are made every night at two o'clock. They are kept for thirty days,
and after that they are deleted.

## Restore

To restore a backup, stop the server and run the command \`restore\` with the name of the file.

\`\`\`sh
restore backup.tar
\`\`\`

| setting | what it means |
|---|---|
| keep_days | for how many days backups are kept |
`;

const OTHER = `# Users

A user is added by an administrator. Passwords have at least twelve characters.
Backups are made every night at two o'clock.
`;

describe("sentences of a passage", () => {
  test("end with their signs, also over a line break; headings, rules and code are none", () => {
    expect(sentencesOf(PAGE).map(({ text }) => text)).toEqual([
      "Backups are made every night at two o'clock.",
      "They are kept for thirty days,\nand after that they are deleted.",
      "To restore a backup, stop the server and run the command `restore` with the name of the file.",
      "| setting | what it means |",
      "| keep_days | for how many days backups are kept |",
    ]);
  });

  test("are exact quotes of the passage", () => {
    for (const { start, end, text } of sentencesOf(PAGE)) expect(PAGE.slice(start, end)).toBe(text);
  });

  test("do not end with an abbreviation, and items of a list are their own", () => {
    expect(
      sentencesOf("- Use a tool, e.g. a hammer, for nails.\n- Use a saw for the wood.").map(({ text }) => text),
    ).toEqual(["Use a tool, e.g. a hammer, for nails.", "Use a saw for the wood."]);
  });
});

describe("kb_answer", () => {
  test("quotes the sentence that answers, with the exact place of each in the file", async () => {
    const bench = await openBench();
    await bench.write("backups.md", PAGE);
    await bench.write("users.md", OTHER);
    await bench.call("kb_create", { name: "docs" });
    await bench.call("kb_ingest", { collection: "docs", paths: ["."] });
    const answer = await bench.call("kb_answer", { collection: "docs", query: "How long are backups kept?" });
    expect(answer).toMatchObject({ answered: true });
    const sentences = answer["sentences"] as (JsonObject & { quote: string })[];
    expect(answer["text"]).toContain("They are kept for thirty days, and after that they are deleted.");
    const files: Record<string, string> = { "backups.md": PAGE, "users.md": OTHER };
    const citations = answer["citations"] as { source: string }[];
    for (const { quote, citation, byte_start: start, byte_end: end, line_start: line } of sentences) {
      const file = files[citations[Number(citation) - 1]?.source ?? ""] ?? "";
      expect(Buffer.from(file).subarray(Number(start), Number(end)).toString()).toBe(quote);
      expect(file.split("\n")[Number(line) - 1]).toContain(quote.split("\n")[0]);
    }
  });

  test("says the same sentence once, though two documents have it", async () => {
    const bench = await openBench();
    await bench.fill("docs", { "backups.md": PAGE, "users.md": OTHER });
    const { sentences } = await bench.call("kb_answer", {
      collection: "docs",
      query: "when are backups made at night",
    });
    const quotes = (sentences as JsonObject[]).map(({ quote }) => quote);
    expect(quotes.filter((quote) => quote === "Backups are made every night at two o'clock.")).toEqual([
      "Backups are made every night at two o'clock.",
    ]);
  });

  test("refuses without an error where nothing supports an answer", async () => {
    const bench = await openBench();
    await bench.fill("docs", { "backups.md": PAGE, "users.md": OTHER });
    const refused = await bench.client.callTool("kb_answer", {
      collection: "docs",
      query: "Which wine goes well with fish?",
    });
    expect(refused["isError"]).not.toBe(true);
    expect(refused["structuredContent"]).toMatchObject({ answered: false, sentences: [], citations: [] });
    expect((refused["structuredContent"] as JsonObject)["reason"]).toContain("No passage supports an answer");
    expect((refused["structuredContent"] as JsonObject)["text"]).toBe(undefined);
  });

  test("gives the nearest sentences with a low confidence where the settings ask for no support", async () => {
    const bench = await openBench({ settings: { citationsRequired: false } });
    await bench.fill("docs", { "backups.md": PAGE });
    const answer = await bench.call("kb_answer", {
      collection: "docs",
      query: "Which wine goes well with the server?",
    });
    expect(answer["answered"]).toBe(true);
    expect(Number(answer["confidence"])).toBeLessThan(0.4);
  });

  test("answers from the version that is asked for alone", async () => {
    const bench = await openBench();
    await bench.fill("docs", { "backups.md": PAGE });
    const texts = [{ name: "backups.md", text: PAGE.replace("thirty days", "ninety days") }];
    await bench.call("kb_ingest", { collection: "docs", texts });
    const query = "How long are backups kept?";
    expect((await bench.call("kb_answer", { collection: "docs", query }))["text"]).toContain("ninety days");
    expect((await bench.call("kb_answer", { collection: "docs", query, version: 1 }))["text"]).toContain("thirty days");
  });

  test("keeps to the filters, and refuses those that there are not", async () => {
    const bench = await openBench();
    await bench.fill("docs", { "backups.md": PAGE, "users.txt": OTHER });
    const query = "when are backups made at night";
    const options = { collection: "docs", query, filters: { document_types: ["text"] } };
    const { citations } = await bench.call("kb_answer", options);
    expect((citations as { source: string }[]).map(({ source }) => source)).toEqual(["users.txt"]);
    for (const filters of [{ types: ["text"] }, { document_types: "text" }, { date_range: { from: "2030" } }])
      expect((await bench.fail("kb_answer", { collection: "docs", query, filters })).code).toBe("INVALID_ARGUMENT");
  });

  test("a short sentence is one, and what other passages say supports none that does not", async () => {
    const bench = await openBench();
    await bench.fill("farm", { "a.md": "# One\n\nDogs bark loudly.\n", "b.md": "# Two\n\nApples grow on trees.\n" });
    expect(await bench.call("kb_answer", { collection: "farm", query: "who barks" })).toMatchObject({
      answered: true,
      text: "Dogs bark loudly. [1]",
    });
    await bench.fill("list", { "a.md": "# One\n\n- bark\n", "b.md": "# Two\n\nApples grow on trees.\n" });
    expect(await bench.call("kb_answer", { collection: "list", query: "who barks" })).toMatchObject({
      answered: false,
    });
  });

  test("all collections are asked where none is named", async () => {
    const bench = await openBench();
    expect((await bench.fail("kb_answer", { query: "who barks" })).text).toContain(
      "no collection has an active version. To ingest documents, call kb_ingest.",
    );
    await bench.fill("farm", { "a.md": "# One\n\nDogs bark loudly.\n" });
    await bench.fill("docs", { "backups.md": PAGE });
    await bench.call("kb_create", { name: "empty" });
    const { citations } = await bench.call("kb_answer", { query: "How long are backups kept?" });
    expect((citations as JsonObject[]).map(({ collection }) => collection)).toEqual(["docs"]);
    expect((await bench.fail("kb_answer", { query: "x", version: 1 })).text).toContain(
      'a version needs a "collection"',
    );
  });
});
