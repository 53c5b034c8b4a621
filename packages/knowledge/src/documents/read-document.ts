import path from "node:path";
import { declaredCharset } from "./charset.js";
import { grammarLanguage, readCode } from "./code.js";
import { decodeFile } from "./decode.js";
import { readJson } from "./json.js";
import { kindOfFile } from "./kind.js";
import { licenseNamed } from "./license.js";
import { type FileToRead, type Parts, toReading } from "./make-reading.js";
import { readMarkdown } from "./markdown.js";
import { readParagraphs, readTable } from "./plain-text.js";
import {
  type Block,
  type DocumentKind,
  type Reading,
  type ReadLimits,
  tooLarge,
  UnreadableDocument,
} from "./reading.js";

/** Reads a document of any kind. Throws `UnreadableDocument` with the reason. Use `Reader` for untrusted PDF and DOCX files. */
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

/** The metadata of a package is near the start of its file. */
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

/** The front matter of a text. */
interface FrontMatter {
  readonly metadata: Readonly<Record<string, string>>;
  /** The end offset; 0 if there is none. */
  readonly end: number;
}

const NONE: FrontMatter = { metadata: {}, end: 0 };
/** Longer sections between two rules are not front matter. */
const MAX_LENGTH = 65_536;
const PAIR = /^(\s*)([\w.-]{1,100})\s*[:=]\s*(.*)$/;
const ITEM = /^\s*-\s+(.*)$/;

/**
 * Reads a subset of YAML or TOML front matter: keys, nested keys and lists. Aliases are not supported, because untrusted ones can
 * expand without limit.
 */
function readFrontMatter(text: string): FrontMatter {
  const mark = text.startsWith("---\n") ? "---" : text.startsWith("+++\n") ? "+++" : undefined;
  if (mark === undefined) return NONE;
  const head = text.slice(0, MAX_LENGTH);
  const close = head.indexOf(`\n${mark}`, 3);
  const after = close + 1 + mark.length;
  if (close === -1 || !(text.length === after || text[after] === "\n" || text[after] === " ")) return NONE;
  const lineEnd = text.indexOf("\n", after);
  return { metadata: readPairs(head.slice(4, close + 1)), end: lineEnd === -1 ? text.length : lineEnd };
}

function readPairs(source: string): Record<string, string> {
  const found = new Map<string, string>();
  let [above, last] = ["", ""];
  for (const line of source.split("\n")) {
    const item = ITEM.exec(line)?.[1];
    if (item !== undefined && last !== "") {
      const value = toPlain(item);
      const before = found.get(last) ?? "";
      found.set(last, before === "" ? value : `${before}, ${value}`);
      continue;
    }
    const [, indent = "", key = "", value = ""] = PAIR.exec(line) ?? [];
    if (key === "") continue;
    if (indent === "") above = key.toLowerCase();
    last = indent === "" ? above : `${above}.${key.toLowerCase()}`;
    const plain = toPlain(value);
    if (plain !== "" || indent === "") found.set(last, plain);
  }
  return Object.fromEntries([...found].filter(([, value]) => value !== ""));
}

/** Removes quotes, comments and brackets from a value. */
function toPlain(value: string): string {
  const text = value.trim();
  const quote = text[0];
  if (quote === '"' || quote === "'") {
    const end = text.indexOf(quote, 1);
    if (end > 0) return text.slice(1, end);
  }
  const bare = /^[|>][+-]?$/.test(text) ? "" : text.replace(/(?:^|\s)#.*$/, "").trim();
  if (!bare.startsWith("[") || !bare.endsWith("]")) return bare;
  return bare
    .slice(1, -1)
    .split(",")
    .map((one) => one.trim().replaceAll(/^["']|["']$/g, ""))
    .filter((one) => one !== "")
    .join(", ");
}
