import { describe, expect, test } from "vitest";
import { blockLines, read } from "./read.js";

describe("HTML", () => {
  test("is read as a person would: headings, paragraphs, lists, tables, code; no scripts, no menus", async () => {
    const reading = await read(
      "a.html",
      `<!doctype html><html lang="en"><head><title>The
        &lt;Title&gt;</title><meta name="author" content="A &amp; B"><style>p{}</style><script>if (a<b) "</p>"</script></head>
      <body><nav><a href=x>Home</a></nav><h1>Top <em>one</em></h1><p>Some   <b>bold</b>
      text&nbsp;&mdash; here.<br>Next</p><div>loose<ul><li>one<li>two<ul><li>deep</ul></ul></div>
      <table><tr><th>k<th>v<tr><td><p>a</p><td>1</table><h2>Two</h2><pre>x =  1
  y</pre>tail<!-- gone --></body>`,
    );
    expect(blockLines(reading)).toEqual([
      "heading1: Top one",
      "text: Some bold text — here.\nNext",
      "text: loose",
      "list: - one\n- two\n  - deep",
      "table: k | v\na | 1",
      "heading2: Two",
      "code: x =  1\n  y",
      "text: tail",
    ]);
    expect([reading.title, reading.language, reading.metadata["author"]]).toEqual(["The <Title>", "en", "A & B"]);
    expect(reading.blocks.at(-1)?.headings).toEqual(["Top one", "Two"]);
  });

  test("has offsets back to its bytes, through entities, blanks and letters of several bytes", async () => {
    const source = Buffer.from("<p>one</p>\n<p>a   &amp; <b>né</b>\n&#x1F389; 日本</p>");
    const reading = await read("a.html", source);
    expect(reading.text).toBe("one\n\na & né 🎉 日本");
    const found = (words: string): [string, number] => {
      const start = reading.text.indexOf(words);
      const { byte_start, byte_end, line_start } = reading.locate(start, start + words.length);
      return [source.subarray(byte_start, byte_end).toString(), line_start];
    };
    expect(found("one")).toEqual(["one", 1]);
    expect(found("a &")).toEqual(["a   &amp;", 2]);
    expect(found("né")).toEqual(["né", 2]);
    expect(found("🎉")).toEqual(["&#x1F389;", 3]);
    expect(found("日本")).toEqual(["日本", 3]);
  });

  test("names its licence by a link", async () => {
    const reading = await read(
      "a.html",
      '<p>x</p><a rel="license" href="https://creativecommons.org/licenses/by-sa/3.0/">CC</a>',
    );
    expect(reading.license).toBe("CC-BY-SA-3.0");
  });

  test("of menus only is read all the same", async () => {
    expect((await read("a.html", "<nav><p>Only this")).text).toBe("Only this");
  });
});
