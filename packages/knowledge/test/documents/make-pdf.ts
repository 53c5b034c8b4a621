import { deflateSync } from "node:zlib";

/** What a stream of a PDF is. */
export interface PdfStream {
  readonly bytes: Buffer;
  /** What is said about it, such as `/Filter /FlateDecode`. */
  readonly about?: string;
}

/** A PDF of some objects, the first of which is its root. */
export function makePdf(objects: readonly (string | PdfStream)[], trailer = ""): Buffer {
  const parts: Buffer[] = [Buffer.from("%PDF-1.7\n")];
  const offsets: number[] = [];
  let length = 9;
  const push = (part: Buffer): void => {
    parts.push(part);
    length += part.length;
  };
  for (const [index, object] of objects.entries()) {
    offsets.push(length);
    push(Buffer.from(`${index + 1} 0 obj\n`));
    if (typeof object === "string") push(Buffer.from(object, "latin1"));
    else {
      push(Buffer.from(`<</Length ${object.bytes.length} ${object.about ?? ""}>>\nstream\n`));
      push(object.bytes);
      push(Buffer.from("\nendstream"));
    }
    push(Buffer.from("\nendobj\n"));
  }
  const start = length;
  const rows = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  push(Buffer.from(`xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}`));
  push(Buffer.from(`trailer<</Size ${objects.length + 1}/Root 1 0 R ${trailer}>>\nstartxref\n${start}\n%%EOF`));
  return Buffer.concat(parts);
}

const FONT = "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>";

/** A PDF with pages of these contents, in the language of PDF; font F1 is there. */
export function pdfOfPages(contents: readonly PdfStream[], trailer = "", more: readonly string[] = []): Buffer {
  const first = 4 + more.length;
  const kids = contents.map((_, index) => `${first + index * 2} 0 R`).join(" ");
  return makePdf(
    [
      "<</Type/Catalog/Pages 2 0 R>>",
      `<</Type/Pages/Kids[${kids}]/Count ${contents.length}>>`,
      FONT,
      ...more,
      ...contents.flatMap((content, index) => [
        `<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents ${first + index * 2 + 1} 0 R/Resources<</Font<</F1 3 0 R>>>>>>`,
        content,
      ]),
    ],
    trailer,
  );
}

/** The content of a page with lines of text, each of a height, 14 points apart but where one is empty. */
export function pageOf(...lines: readonly (readonly [height: number, text: string])[]): PdfStream {
  const shown = lines.map(([height, text], index) => `BT /F1 ${height} Tf 72 ${720 - index * 14} Td (${text}) Tj ET`);
  return { bytes: deflateSync(shown.join("\n")), about: "/Filter/FlateDecode" };
}
