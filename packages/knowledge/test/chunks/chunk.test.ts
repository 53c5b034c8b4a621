import { describe, expect, test } from "vitest";
import { type Chunk, chunk } from "../../src/chunks/chunk.js";
import { read } from "../documents/read.js";

const chunksOf = async (name: string, text: string, size: number, overlap = 0): Promise<Chunk[]> =>
  chunk(await read(name, text), { size, overlap });
const words = (count: number, word = "word"): string => Array.from({ length: count }, () => word).join(" ");

describe("a passage", () => {
  test("has a heading and its text, and the path of headings above", async () => {
    const source = `# Top\n\n${words(30)}\n\n## Part\n\n### Inner\n\n${words(30, "more")}\n`;
    const chunks = await chunksOf("a.md", source, 100);
    expect(chunks.map(({ content, type, headings }) => [content, type, headings])).toEqual([
      [`# Top\n\n${words(30)}`, "text", ["Top"]],
      [`## Part\n\n### Inner\n\n${words(30, "more")}`, "text", ["Top", "Part", "Inner"]],
    ]);
  });

  test("takes small sections together, under the headings that they share", async () => {
    const chunks = await chunksOf("a.md", "# T\n\nx\n\n## A\n\ny\n\n## B\n\nz\n", 512);
    expect(chunks).toEqual([
      {
        ordinal: 0,
        start: 0,
        end: 24,
        type: "text",
        headings: ["T"],
        tokens: 6,
        content: "# T\n\nx\n\n## A\n\ny\n\n## B\n\nz",
      },
    ]);
  });

  test("keeps a block of code whole where it fits, and its heading with it", async () => {
    const code = `\`\`\`js\n${"let a = 1;\n\n".repeat(12)}\`\`\``;
    const chunks = await chunksOf("a.md", `# T\n\n${words(20)}\n\n## Code\n\n${code}\n`, 50);
    expect(chunks.map(({ content, type }) => [content, type])).toEqual([
      [`# T\n\n${words(20)}`, "text"],
      [`## Code\n\n${code}`, "code"],
    ]);
  });

  test("cuts code that is too large at blank lines, else at lines", async () => {
    const part = "line one();\nline two();\n";
    const chunks = await chunksOf("a.md", `\`\`\`\n${`${part}\n`.repeat(6)}\`\`\``, 20);
    expect(chunks.map(({ content }) => content)).toEqual([
      `\`\`\`\n${part}\n${part}\n${part}`.trimEnd(),
      `${part}\n${part}\n${part}\n\`\`\``,
    ]);
  });

  test("has the head of a table before each part of it, but only its own rows as its place", async () => {
    const head = "| a | b |\n|---|---|";
    const rows = Array.from({ length: 8 }, (_, index) => `| ${index} | some cell |`);
    const source = `${head}\n${rows.join("\n")}\n`;
    const chunks = await chunksOf("a.md", source, 20);
    expect(chunks.map(({ content }) => content)).toEqual([
      [head, ...rows.slice(0, 3)].join("\n"),
      [head, ...rows.slice(3, 6)].join("\n"),
      [head, ...rows.slice(6)].join("\n"),
    ]);
    expect(chunks.map(({ start, end }) => source.slice(start, end))).toEqual([
      [head, ...rows.slice(0, 3)].join("\n"),
      rows.slice(3, 6).join("\n"),
      rows.slice(6).join("\n"),
    ]);
    expect(chunks.every(({ type, tokens }) => type === "table" && tokens <= 20)).toBe(true);
  });

  test("of CSV has whole rows, also those with line ends in quotes", async () => {
    const rows = ['1;"a long note\nin two lines"', '2;"another\n""quoted"" note"', "3;the last of the notes"];
    const chunks = await chunksOf("a.csv", ["id;note", ...rows].join("\n"), 12);
    expect(chunks.map(({ content }) => content)).toEqual(rows.map((row) => `id;note\n${row}`));
  });

  test("starts with the last sentences of the one before it", async () => {
    const sentences = Array.from({ length: 9 }, (_, index) => `This is sentence number ${index}.`);
    const chunks = await chunksOf("a.txt", sentences.join(" "), 32, 8);
    expect(chunks.map(({ content }) => content.match(/\d/g)?.join(""))).toEqual(["0123", "3456", "678"]);
  });

  test("counts Chinese, Japanese and Korean by the character", async () => {
    const chunks = await chunksOf("a.txt", "这是一个句子。".repeat(10), 28);
    expect(chunks.map(({ content, tokens }) => [content.length, tokens])).toEqual([
      [28, 28],
      [28, 28],
      [14, 14],
    ]);
  });

  test("of JSON has members and items, with their path", async () => {
    const items = (count: number) => Array.from({ length: count }, (_, id) => ({ id, text: words(20) }));
    const source = JSON.stringify({ name: "x", first: { inner: items(20) }, second: items(20) }, null, 1);
    const chunks = await chunksOf("a.json", source, 256);
    expect(new Set(chunks.map(({ headings }) => headings.join("/")))).toEqual(new Set(["", "first/inner", "second"]));
    expect(chunks.every(({ content }) => content.length < 1024)).toBe(true);
  });
});

describe("a passage of source code", () => {
  const body = (name: string): string => `    ${name}();\n`.repeat(12);
  const source = [
    'import { x } from "y";\n\n',
    `/** Says what it does. */\nexport function first() {\n${body("one")}}\n\n`,
    `export class Second {\n  // About it.\n  alpha() {\n${body("alpha")}  }\n\n  beta() {\n${body("beta")}  }\n\n`,
    `  gamma() {\n${body("gamma").repeat(8)}  }\n}\n`,
  ].join("");

  test("is a function with its comment, or a member of a class, with its name", async () => {
    const reading = await read("a.ts", source);
    const chunks = chunk(reading, { size: 128, overlap: 0 });
    expect(reading.language).toBe("typescript");
    expect(chunks.slice(0, 4).map(({ content, headings }) => [content.split("\n", 1)[0], headings])).toEqual([
      ['import { x } from "y";', []],
      ["export class Second {", ["Second"]],
      ["  beta() {", ["Second", "beta"]],
      ["  gamma() {", ["Second", "gamma"]],
    ]);
    expect(chunks[0]?.content).toContain("/** Says what it does. */\nexport function first() {");
    expect(chunks[1]?.content).toContain("  // About it.\n  alpha() {");
  });

  test("in a language without a grammar ends at a blank line", async () => {
    const chunks = await chunksOf("a.lua", "a = 1\nb = 2\n\n".repeat(6), 10);
    const part = "a = 1\nb = 2\n\na = 1\nb = 2\n\na = 1\nb = 2";
    expect(chunks.map(({ content }) => content)).toEqual([part, part]);
  });
});
