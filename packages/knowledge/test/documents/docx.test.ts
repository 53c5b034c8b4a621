import { describe, expect, test } from "vitest";
import { makeDocx } from "./make-zip.js";
import { blockLines, read } from "./read.js";

const paragraph = (text: string, properties = ""): string =>
  `<w:p><w:pPr>${properties}</w:pPr><w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`;
const style = (id: string): string => `<w:pStyle w:val="${id}"/>`;
const item = (level: number): string => `<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="1"/></w:numPr>`;
const cell = (text: string): string => `<w:tc>${text}</w:tc>`;

const styles = `<w:styles><w:style w:styleId="berschrift1"><w:name w:val="heading 1"/></w:style>
  <w:style w:styleId="Own"><w:name w:val="My part"/><w:pPr><w:outlineLvl w:val="1"/></w:pPr></w:style>
  <w:style w:styleId="T"><w:name w:val="Title"/></w:style></w:styles>`;
const core = `<cp:coreProperties><dc:title>Property &amp; title</dc:title><dc:creator>Ann</dc:creator><dc:language>de</dc:language></cp:coreProperties>`;

describe("DOCX", () => {
  test("has headings by style, paragraphs, lists and tables; no deleted text", async () => {
    const body = [
      paragraph("The title", style("T")),
      paragraph("Part one", style("berschrift1")),
      "<w:p/>",
      "<w:p><w:r><w:t>Split </w:t></w:r><w:del><w:r><w:delText>gone</w:delText></w:r></w:del><w:r><w:t>run &lt;1&gt;</w:t><w:br/><w:t>line</w:t></w:r></w:p>",
      paragraph("first", item(0)),
      paragraph("second", item(1)),
      paragraph("Inner", style("Own")),
      `<w:tbl><w:tr>${cell(paragraph("k"))}${cell("<w:p/>")}${cell(paragraph("v"))}</w:tr><w:tr>${cell(paragraph("a") + paragraph("b"))}${cell(paragraph("1"))}</w:tr></w:tbl>`,
      paragraph("end"),
    ];
    const reading = await read(
      "a.docx",
      makeDocx(body.join(""), { "word/styles.xml": styles, "docProps/core.xml": core }),
    );
    expect(blockLines(reading)).toEqual([
      "heading1: The title",
      "heading1: Part one",
      "text: Split run <1>\nline",
      "list: - first\n  - second",
      "heading2: Inner",
      "table: k |  | v\na b | 1",
      "text: end",
    ]);
    expect([reading.title, reading.language, reading.metadata["creator"]]).toEqual(["Property & title", "de", "Ann"]);
    const at = reading.text.indexOf("second");
    expect(reading.locate(at, at + 6)).toEqual({ line_start: 6, line_end: 6 });
    expect(reading.locate(reading.text.length - 3, reading.text.length)).toEqual({ line_start: 14, line_end: 14 });
  });

  test("has the text of its notes after its own", async () => {
    const notes = `<w:footnotes><w:footnote>${paragraph("A note.")}</w:footnote></w:footnotes>`;
    expect((await read("a.docx", makeDocx(paragraph("Body"), { "word/footnotes.xml": notes }))).text).toBe(
      "Body\n\nA note.",
    );
  });

  test("has its first heading as title where it has no property", async () => {
    const reading = await read("a.docx", makeDocx(paragraph("Chapter", style("Heading1")) + paragraph("text")));
    expect([reading.title, reading.blocks[1]?.headings]).toEqual(["Chapter", ["Chapter"]]);
  });
});
