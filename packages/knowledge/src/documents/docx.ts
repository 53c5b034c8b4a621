import { tooManyCharacters } from "./decode.js";
import { DocxScan, type DocxStyle } from "./docx-scan.js";
import { type FileToRead, makeReading } from "./make-reading.js";
import { Numbers } from "./numbers.js";
import { type Reading, type ReadLimits, UnreadableDocument } from "./reading.js";
import { writePageMap } from "./source-map.js";
import { readXml } from "./xml.js";
import { unzip } from "./zip.js";

const MAIN = /^word\/document\d*\.xml$/;
const NOTES = ["word/footnotes.xml", "word/endnotes.xml"];
const STYLES = "word/styles.xml";
const PROPERTIES = "docProps/core.xml";

/** Reads a Word document: paragraphs, headings by their styles, lists, tables, notes and properties. */
export async function readDocx({ name, bytes }: FileToRead, limits: ReadLimits): Promise<Reading> {
  const wanted = new Set([...NOTES, STYLES, PROPERTIES]);
  const files = await unzip(bytes, (file) => wanted.has(file) || MAIN.test(file), limits);
  const main = [...files.keys()].find((file) => MAIN.test(file));
  if (main === undefined) throw new UnreadableDocument("it is a ZIP archive without a Word document in it");
  const scan = new DocxScan(await readStyles(files.get(STYLES)));
  for (const file of [main, ...NOTES]) {
    const part = files.get(file);
    if (part !== undefined) await readXml(part, scan);
    scan.builder.end();
  }
  const text = scan.builder.toText();
  if (text.length > limits.characters) throw tooManyCharacters(text.length, limits);
  const metadata = await readProperties(files.get(PROPERTIES));
  return makeReading("docx", name, "utf-8", text, writePageMap(scan.paragraphs, new Numbers()), {
    blocks: scan.builder.blocks,
    title: metadata["title"] || scan.title || scan.builder.headings.first,
    language: metadata["language"],
    metadata,
  });
}

const LEVEL = /^(?:heading|überschrift|titre|título|titolo|rubrik) ?([1-9])$/i;

/** What the styles of a document mean, by their ids. */
async function readStyles(bytes: Buffer | undefined): Promise<ReadonlyMap<string, DocxStyle>> {
  const styles = new Map<string, DocxStyle>();
  let id = "";
  const note = (style: DocxStyle): void => void styles.set(id, { ...styles.get(id), ...style });
  if (bytes === undefined) return styles;
  await readXml(bytes, {
    open(element, attributes) {
      const value = attributes["val"] ?? "";
      if (element === "style") id = attributes["styleId"] ?? "";
      else if (id === "") return;
      else if (element === "outlineLvl" && Number(value) < 9) note({ level: Number(value) + 1 });
      else if (element === "numPr") note({ isList: true });
      else if (element === "name") {
        const level = Number(LEVEL.exec(value)?.[1] ?? 0);
        if (level > 0) note({ level });
        else if (/^title$/i.test(value)) note({ level: 1, isTitle: true });
        else if (/^list\b/i.test(value)) note({ isList: true });
        else if (/\bcode\b|preformatted|source|verbatim/i.test(value)) note({ isCode: true });
      }
    },
    close: (element) => void (element === "style" && (id = "")),
    text() {},
  });
  return styles;
}

const KEYS = new Set("title creator subject description keywords language created modified category".split(" "));

async function readProperties(bytes: Buffer | undefined): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  let key = "";
  if (bytes === undefined) return found;
  await readXml(bytes, {
    open: (element) => void (key = KEYS.has(element) ? element : ""),
    close: () => void (key = ""),
    text(text) {
      if (key !== "" && text.trim() !== "") found[key] = `${found[key] ?? ""}${text}`.slice(0, 2000);
    },
  });
  return found;
}
