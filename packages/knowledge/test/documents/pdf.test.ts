import { describe, expect, test } from "vitest";
import { pageOf, pdfOfPages } from "./make-pdf.js";
import { blockLines, read } from "./read.js";

describe("PDF", () => {
  test("has the lines of its pages, headings by their height, and its properties", async () => {
    const pages = [
      pageOf(
        [20, "A heading"],
        [11, ""],
        [11, "First line of text"],
        [11, "second line."],
        [11, ""],
        [11, ""],
        [11, "Apart"],
      ),
      pageOf([11, "On page two"], [11, "and on"]),
    ];
    const reading = await read("a.pdf", pdfOfPages(pages, "/Info 4 0 R", ["<</Title(The title)/Author(Ann)>>"]));
    expect(blockLines(reading)).toEqual([
      "heading1: A heading",
      "text: First line of text\nsecond line.",
      "text: Apart",
      "text: On page two\nand on",
    ]);
    expect([reading.title, reading.metadata["author"]]).toEqual(["The title", "Ann"]);
    const span = (words: string, more = 0) => {
      const start = reading.text.indexOf(words);
      return reading.locate(start, start + words.length + more);
    };
    expect(span("second line.")).toEqual({ page: 1, line_start: 3, line_end: 3 });
    expect(span("and on")).toEqual({ page: 2, line_start: 2, line_end: 2 });
    expect(span("Apart", 4)).toEqual({ page: 1, page_end: 2, line_start: 4, line_end: 1 });
  });

  test("without text says that its pages may be pictures", async () => {
    await expect(read("a.pdf", pdfOfPages([pageOf()]))).rejects.toThrow(
      "it contains no text; if its pages are images, run text recognition (OCR) first",
    );
  });

  test("with more pages than the limit is not read", async () => {
    const pages = Array.from({ length: 3 }, () => pageOf([11, "x"]));
    await expect(read("a.pdf", pdfOfPages(pages), { pages: 2 })).rejects.toThrow("it has 3 pages; the maximum is 2");
  });

  test("leaves the bytes to whom they belong", async () => {
    const bytes = new Uint8Array(pdfOfPages([pageOf([11, "x"])]));
    const { length } = bytes;
    await read("a.pdf", bytes);
    expect(bytes.length).toBe(length);
  });

  test.each([
    ["D:20260304050607+01'00'", "2026-03-04T05:06:07+01:00"],
    ["D:20260304050607Z", "2026-03-04T05:06:07Z"],
    ["D:202603040506", "2026-03-04T05:06:00"],
    ["D:20260304", "2026-03-04"],
    ["D:2026", "2026"],
    ["20260304050607", "2026-03-04T05:06:07"],
    ["last summer", undefined],
  ])("says when it was written: %s", async (written, time) => {
    const info = [`<</CreationDate(${written})>>`];
    const reading = await read("a.pdf", pdfOfPages([pageOf([12, "Herons"])], "/Info 4 0 R", info));
    expect(reading.metadata["created"]).toBe(time);
  });

  test("has the title of its first heading where its properties say nothing", async () => {
    const info = ["<</Title(untitled)/Author(anonymous)>>"];
    const page = pageOf([20, "Of herons"], [11, ""], [11, "They stand."], [11, "They wait."], [11, "They fish."]);
    const reading = await read("a.pdf", pdfOfPages([page], "/Info 3 0 R", info));
    expect([reading.title, reading.metadata]).toEqual(["Of herons", {}]);
  });
});
