import { deflateSync } from "node:zlib";
import { makePdf, pageOf, pdfOfPages } from "./make-pdf.js";
import { makeDocx, makeZip } from "./make-zip.js";

/** A file that was made to do harm or is broken, and what reading it must come to: a reason, or "read". */
export interface HostileFile {
  readonly name: string;
  readonly make: () => Buffer;
  readonly outcome: RegExp;
}

const MB = 1_000_000;
const whole = (): Buffer => pdfOfPages([pageOf([11, "some text"], [11, "and more"]), pageOf([11, "page two"])]);
const content = (bytes: Buffer, layers: number): Buffer => {
  const packed = Array.from({ length: layers }).reduce<Buffer>((inner) => deflateSync(inner, { level: 9 }), bytes);
  return pdfOfPages([{ bytes: packed, about: `/Filter[${"/FlateDecode ".repeat(layers)}]` }]);
};
const damaged = (step: number): Buffer => {
  const bytes = whole();
  for (let at = 40; at < bytes.length; at += step) bytes[at] = (bytes[at] ?? 0) ^ 0x15;
  return bytes;
};
const nested = (open: string, close: string, depth: number): string => open.repeat(depth) + close.repeat(depth);
const root = "<</Type/Catalog/Pages 2 0 R>>";

const entities = `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">${Array.from("bcdefghij", (name, index) => `<!ENTITY ${name} "${`&${"abcdefghij"[index]};`.repeat(10)}">`).join("")}]>`;

export const hostileFiles: readonly HostileFile[] = [
  { name: "cut-in-half.pdf", make: () => whole().subarray(0, 600), outcome: /^read|broken PDF|no text/ },
  { name: "head-only.pdf", make: () => Buffer.from("%PDF-1.7\n"), outcome: /^it is a broken PDF: / },
  {
    name: "noise.pdf",
    make: () => Buffer.concat([Buffer.from("%PDF-1.4\n"), noise(50_000)]),
    outcome: /^it is a broken PDF: /,
  },
  { name: "damaged.pdf", make: () => damaged(37), outcome: /^read|broken PDF|no text/ },
  { name: "badly-damaged.pdf", make: () => damaged(5), outcome: /^it is a broken PDF|no text/ },
  {
    name: "flate-bomb.pdf",
    make: () => content(Buffer.alloc(100 * MB, " "), 1),
    outcome: /^a part of it unpacks to more than 32000000 bytes$/,
  },
  {
    name: "double-flate-bomb.pdf",
    make: () => content(Buffer.alloc(100 * MB, " "), 2),
    outcome: /^a part of it unpacks to more than 32000000 bytes$/,
  },
  {
    name: "hidden-flate-bomb.pdf",
    make: hiddenBomb,
    outcome: /^a part of it unpacks to more than 33554432 bytes$/,
  },
  {
    name: "deep-array.pdf",
    make: () => makePdf([root, `<</Type/Pages/Kids ${nested("[", "]", 500_000)}/Count 1>>`]),
    outcome: /broken PDF|no text|could not be read/,
  },
  {
    name: "deep-dictionary.pdf",
    make: () => makePdf([root, `<</Type/Pages/Kids[]/Count 1/X ${nested("<</A ", ">>", 200_000)}>>`]),
    outcome: /broken PDF|no text|could not be read/,
  },
  {
    name: "pages-in-a-circle.pdf",
    make: () => makePdf([root, "<</Type/Pages/Kids[2 0 R 2 0 R]/Count 4000>>"]),
    outcome: /broken PDF|no text/,
  },
  {
    name: "billion-pages.pdf",
    make: () => makePdf([root, "<</Type/Pages/Kids[]/Count 1000000000>>"]),
    outcome: /^it has \d+ pages; at most 5000 are read$|broken PDF|no text/,
  },
  {
    name: "endless-loop.pdf",
    make: () =>
      pdfOfPages([
        {
          bytes: deflateSync(Buffer.from("q BT /F1 9 Tf (x) Tj ET Q\n".repeat(1_000_000))),
          about: "/Filter/FlateDecode",
        },
      ]),
    outcome: /^it takes (?:longer than 1 seconds to read|more memory than a document may)$/,
  },
  {
    name: "bomb.docx",
    make: () => makeDocx(`<w:p><w:r><w:t>${" a".repeat(40 * MB)}</w:t></w:r></w:p>`),
    outcome: /^it unpacks to more than 64000000 bytes$/,
  },
  {
    name: "lying-sizes.docx",
    make: () => makeZip([{ name: "word/document.xml", bytes: Buffer.alloc(80 * MB, "x"), claimed: 100 }]),
    outcome: /^it is a broken ZIP archive: |^it unpacks to more than/,
  },
  {
    name: "lying-larger.docx",
    make: () => makeZip([{ name: "word/document.xml", bytes: Buffer.from("<w:t>x</w:t>"), claimed: 4_000_000_000 }]),
    outcome: /^it unpacks to more than 64000000 bytes$/,
  },
  { name: "cut.docx", make: () => makeDocx("<w:p/>").subarray(0, 120), outcome: /^it is a broken ZIP archive: / },
  {
    name: "other.docx",
    make: () => makeZip([{ name: "a.txt", bytes: Buffer.from("x") }]),
    outcome: /^it is a ZIP archive without a Word document$/,
  },
  {
    name: "entity-bomb.docx",
    make: () =>
      makeZip([{ name: "word/document.xml", bytes: Buffer.from(`${entities}<w:p><w:t>start &j; end</w:t></w:p>`) }]),
    outcome: /^read start &j; end$/,
  },
  { name: "deep.docx", make: () => makeDocx(`${"<w:p><w:r>".repeat(100_000)}<w:t>deep</w:t>`), outcome: /^read deep$/ },
  {
    name: "deep-tables.docx",
    make: () => makeDocx(`${"<w:tbl><w:tr><w:tc>".repeat(100_000)}<w:p><w:t>deep</w:t></w:p>`),
    outcome: /^read deep$/,
  },
  {
    name: "deep.ts",
    make: () => Buffer.from(nested("(", ")", 10_000)),
    outcome: /^read |longer than|more memory|could not/,
  },
  {
    name: "deep.html",
    make: () => Buffer.from(`${nested("<div>", "</div>", 100_000)}<p>end</p>`),
    outcome: /^read end$/,
  },
  { name: "deep-unclosed.html", make: () => Buffer.from(`${"<ul><li><b>".repeat(100_000)}end`), outcome: /^read / },
  {
    name: "attributes.html",
    make: () => Buffer.from(`<meta ${'a="b" '.repeat(300_000)}><p>end</p>`),
    outcome: /^read end$/,
  },
  { name: "open-tags.html", make: () => Buffer.from("<".repeat(5 * MB)), outcome: /^read |no text/ },
  {
    name: "one-line.md",
    make: () => Buffer.alloc(100 * MB, "word "),
    outcome: /^it has 100000000 bytes; at most 40000000 are read$/,
  },
  {
    name: "eleven-mb-line.md",
    make: () => Buffer.alloc(11 * MB, "word "),
    outcome: /^it has a line of more than 10000000 bytes/,
  },
  { name: "nine-mb-line.md", make: () => Buffer.alloc(9 * MB, "word "), outcome: /^read / },
  {
    name: "too-large.md",
    make: () => Buffer.alloc(41 * MB, "word\n"),
    outcome: /^it has 41000000 bytes; at most 40000000 are read$/,
  },
  {
    name: "many-characters.md",
    make: () => Buffer.alloc(39 * MB, "word\n"),
    outcome: /^its text has 39000000 characters; the maximum is 32000000. Split it$/,
  },
  {
    name: "many-blocks.md",
    make: () => Buffer.from("# a\n\n- b\n\n".repeat(MB)),
    outcome: /^it has more than 250000 paragraphs. Split it$|more memory/,
  },
  {
    name: "many-paragraphs.txt",
    make: () => Buffer.from("a\n\n".repeat(3 * MB)),
    outcome: /^it has more than 250000 paragraphs. Split it$|more memory/,
  },
  { name: "backquotes.md", make: () => Buffer.from("`".repeat(3 * MB)), outcome: /^read / },
  { name: "hashes.md", make: () => Buffer.from("# ".repeat(2 * MB)), outcome: /^read / },
  {
    name: "brackets.md",
    make: () => Buffer.from(`# ${"[".repeat(MB)}\n${"*".repeat(MB)}\n\n${"| ".repeat(MB)}\n|-|`),
    outcome: /^read /,
  },
  { name: "binary.md", make: () => noise(100_000), outcome: /^it is not text: / },
  { name: "nul.md", make: () => Buffer.from("text\0text"), outcome: /^it is not text: it has NUL bytes$/ },
  { name: "empty.md", make: () => Buffer.alloc(0), outcome: /^it contains no text$/ },
  { name: "wrong-mark.txt", make: () => Buffer.from("fffe6100", "hex").subarray(0, 3), outcome: /^read / },
  {
    name: "million-rows.csv",
    make: () => Buffer.from(`id;name;note\n${'12345;Some name;"a; note"\n'.repeat(MB)}`),
    outcome: /^read /,
  },
  { name: "open-quote.csv", make: () => Buffer.from(`a,b\n"open,1\n${"2,3\n".repeat(500_000)}`), outcome: /^read / },
  { name: "deep.json", make: () => Buffer.from(nested("[", "]", 100_000)), outcome: /^read / },
  {
    name: "deep-objects.json",
    make: () => Buffer.from(`${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`),
    outcome: /^read /,
  },
];

/** Bytes without order, the same ones each time. */
function noise(length: number): Buffer {
  let state = 12_345;
  return Buffer.from(Uint8Array.from({ length }, () => (state = (state * 1_103_515_245 + 12_345) & 0x7fffffff) >> 16));
}

/** A bomb that says that it is a picture, but is the content of a page. */
function hiddenBomb(): Buffer {
  const bytes = deflateSync(Buffer.alloc(120 * MB, " "), { level: 9 });
  return pdfOfPages([{ bytes, about: "/Filter/FlateDecode/Subtype/Image" }]);
}
