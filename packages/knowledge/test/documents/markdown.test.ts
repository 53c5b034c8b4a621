import { describe, expect, test } from "vitest";
import { blockLines, read } from "./read.js";

const blocksOf = async (source: string): Promise<string[]> => blockLines(await read("a.md", source));

describe("Markdown", () => {
  test("has headings with marks and with lines below them, and the path to each block", async () => {
    const reading = await read(
      "a.md",
      "Top\n===\n\nIntro\n\n## A ##\n\ntext\n\n#### `Deep` [link](x) {#id}\n\nmore\n\nB\n---\nend\n",
    );
    expect(blockLines(reading)).toEqual([
      "heading1: Top\n===",
      "text: Intro",
      "heading2: ## A ##",
      "text: text",
      "heading4: #### `Deep` [link](x) {#id}",
      "text: more",
      "heading2: B\n---",
      "text: end",
    ]);
    expect(reading.blocks.map(({ headings }) => headings)).toEqual([
      [],
      ["Top"],
      ["Top"],
      ["Top", "A"],
      ["Top", "A"],
      ["Top", "A", "Deep link"],
      ["Top"],
      ["Top", "B"],
    ]);
    expect(reading.title).toBe("Top");
  });

  test("keeps what is in a fence, whatever it looks like, until a fence of the same mark and length", async () => {
    expect(await blocksOf("a\n````md\n# no\n```\n~~~\n\n````\nb\n~~~\n```\n~~~\n")).toEqual([
      "text: a",
      "code: ````md\n# no\n```\n~~~\n\n````",
      "text: b",
      "code: ~~~\n```\n~~~",
    ]);
  });

  test("takes a fence that is never closed to the end", async () => {
    expect(await blocksOf("```\n# a\n\nb")).toEqual(["code: ```\n# a\n\nb"]);
  });

  test("has indented code, but not within a paragraph or a list", async () => {
    expect(await blocksOf("a\n    b\n\n    code\n\n    more\n\n- item\n\n    still the item\n\nend")).toEqual([
      "text: a\n    b",
      "code:     code\n\n    more",
      "list: - item\n\n    still the item",
      "text: end",
    ]);
  });

  test("has tables, with or without a paragraph right above", async () => {
    expect(await blocksOf("Intro\n| a | b |\n|---|:-:|\n| 1 | 2 |\n\na | b\n--- | ---\n3 | 4\nafter")).toEqual([
      "text: Intro",
      "table: | a | b |\n|---|:-:|\n| 1 | 2 |",
      "table: a | b\n--- | ---\n3 | 4",
      "text: after",
    ]);
  });

  test("has lists with their nested items, and fenced code apart", async () => {
    expect(await blocksOf("1. one\n   - two\n\n   ```sh\n   # x\n   ```\n   more\n2) three\n\nafter\n")).toEqual([
      "list: 1. one\n   - two",
      "code:    ```sh\n   # x\n   ```",
      "list:    more\n2) three",
      "text: after",
    ]);
  });

  test("takes no heading from a comment, a <pre> or a quotation", async () => {
    expect(await blocksOf("<!--\n# no\n\n-->\n# yes\n<pre>\n# no\n\n</pre>\n> # no\n\n<preview>\n# also")).toEqual([
      "text: <!--\n# no\n\n-->",
      "heading1: # yes",
      "code: <pre>\n# no\n\n</pre>",
      "text: > # no",
      "text: <preview>",
      "heading1: # also",
    ]);
  });

  test("takes no heading from #hashtags, nor from more than six marks", async () => {
    expect(await blocksOf("#tag\n\n####### seven")).toEqual(["text: #tag", "text: ####### seven"]);
  });

  test("has the metadata of its front matter, whose title takes precedence over headings", async () => {
    const reading = await read(
      "a.md",
      "---\ntitle: \"The: title\" # note\nlicense: CC-BY-4.0\nlang: de\ntags: [a, 'b']\nauthors:\n  - Ann\n  - Bob\nnav:\n  order: 3\n---\n# Heading\n",
    );
    expect(reading.metadata).toEqual({
      title: "The: title",
      license: "CC-BY-4.0",
      lang: "de",
      tags: "a, b",
      authors: "Ann, Bob",
      "nav.order": "3",
    });
    expect([reading.title, reading.license, reading.language]).toEqual(["The: title", "CC-BY-4.0", "de"]);
    expect(reading.blocks[1]).toMatchObject({ type: "heading", level: 1 });
  });

  test("has no front matter where the line at its head is a rule", async () => {
    expect((await read("a.md", "---\nno end\n\n# T")).metadata).toEqual({});
  });

  test("has the name of its file where it has no heading", async () => {
    expect((await read("notes/plain.md", "just text")).title).toBe("plain.md");
  });
});
