import { declaredCharset } from "./charset.js";
import { type DecodedText, decodeFile } from "./decode.js";
import { HtmlScan, NAVIGATION_ELEMENTS } from "./html-scan.js";
import { licenseNamed } from "./license.js";
import { type FileToRead, toReading } from "./make-reading.js";
import type { Reading, ReadLimits } from "./reading.js";

/** Reads the visible text of an HTML file. */
export async function readHtml({ name, bytes }: FileToRead, limits: ReadLimits): Promise<Reading> {
  const source = await decodeFile(bytes, declaredCharset(bytes), limits);
  const main = await scan(source, NAVIGATION_ELEMENTS);
  const found = main.builder.blocks.length > 0 ? main : await scan(source, new Set());
  const { builder, about } = found;
  const { metadata, language } = about;
  const license = about.license ?? metadata["license"] ?? metadata["dcterms.license"] ?? metadata["dc.rights"];
  const decoded = { ...source, text: builder.toText(), bytes: builder.bytes };
  return toReading("html", name, decoded, {
    blocks: builder.blocks,
    title: about.title.replaceAll(/\s+/g, " ").trim() || metadata["og:title"] || builder.headings.first,
    language,
    license: license === undefined ? undefined : licenseNamed(license),
    metadata,
  });
}

async function scan(source: DecodedText, left: ReadonlySet<string>): Promise<HtmlScan> {
  const { Tokenizer } = await import("htmlparser2");
  const found = new HtmlScan(source, left);
  const tokenizer = new Tokenizer({ decodeEntities: true }, found);
  tokenizer.write(source.text);
  tokenizer.end();
  return found;
}
