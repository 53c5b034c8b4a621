import path from "node:path";
import { declaredCharset } from "./charset.js";
import { grammarLanguage, readCode } from "./code.js";
import { readTable } from "./csv.js";
import { decodeFile } from "./decode.js";
import { readFrontMatter } from "./front-matter.js";
import { readJson } from "./json.js";
import { kindOfFile } from "./kind.js";
import { licenseNamed } from "./license.js";
import { type FileToRead, type Parts, toReading } from "./make-reading.js";
import { readMarkdown } from "./markdown.js";
import { readParagraphs } from "./plain-text.js";
import {
  type Block,
  type DocumentKind,
  type Reading,
  type ReadLimits,
  tooLarge,
  UnreadableDocument,
} from "./reading.js";

/** Reads a document of any kind; throws `UnreadableDocument` with the reason. PDF and DOCX of strangers belong into `Reader`. */
export async function readDocument(file: FileToRead, limits: ReadLimits): Promise<Reading> {
  const { name, bytes } = file;
  const isTooLarge = tooLarge(bytes.length, limits.bytes);
  if (isTooLarge !== undefined) throw new UnreadableDocument(isTooLarge);
  const kind = kindOfFile(name, bytes);
  if (kind === "pdf") return (await import("./pdf.js")).readPdf(file, limits);
  if (kind === "docx") return (await import("./docx.js")).readDocx(file, limits);
  if (kind === "html") return (await import("./html.js")).readHtml(file, limits);
  const declared = name.toLowerCase().endsWith(".xml") ? declaredCharset(bytes) : undefined;
  const decoded = await decodeFile(bytes, declared, limits);
  return toReading(kind, name, decoded, await partsOf(kind, name, decoded.text));
}

/** What a package says of itself stands near its head. */
const HEAD = 20_000;
const JSON_LICENSE = /^\s{0,8}"licen[cs]e"\s{0,8}:\s{0,8}"([^"\n]{2,60})"/m;

async function partsOf(kind: DocumentKind, name: string, text: string): Promise<Parts> {
  if (kind === "csv") return readTable(text);
  if (kind === "json") {
    const [, license = ""] = JSON_LICENSE.exec(text.slice(0, HEAD)) ?? [];
    return { blocks: readJson(text), license: licenseNamed(license) };
  }
  if (kind === "code") {
    const language = grammarLanguage(name, text);
    return { blocks: await readCode(text, language), language: language ?? path.extname(name).slice(1).toLowerCase() };
  }
  const { metadata, end } = readFrontMatter(text);
  const front: readonly Block[] = end === 0 ? [] : [{ type: "text", start: 0, end, headings: [] }];
  const about = {
    metadata,
    title: metadata["title"],
    language: metadata["lang"] ?? metadata["language"],
    license: licenseNamed(metadata["license"] ?? metadata["licence"] ?? metadata["spdx-license-identifier"] ?? ""),
  };
  if (kind === "text") return { ...about, blocks: [...front, ...readParagraphs(text, "text", end)] };
  const { blocks, firstHeading } = readMarkdown(text, end);
  return { ...about, blocks: [...front, ...blocks], title: about.title ?? firstHeading };
}
