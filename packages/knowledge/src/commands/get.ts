import { numberOf, UsageError } from "@toolwright/kit/cli";
import { type Screen, say, sayJson, visible, visibleLine } from "@toolwright/kit/terminal";
import { getDocument, type ShownDocument } from "../collections/get-document.js";
import { documentId } from "../ingest/fingerprint.js";
import type { Bench, Deed } from "./bench.js";
import { allNames } from "./names.js";
import type { Options } from "./options.js";
import { count, size } from "./words.js";

/** `toolwright kb get`: a document as a version has it, or some of its lines. */
export const get: Deed = async (bench) => {
  const { base, options, screen } = bench;
  const hasOutline = options["--outline"] !== undefined;
  const range = linesOf(options);
  const document = await getDocument(base, await idOf(bench), {
    version: numberOf(options, "--version", 0),
    range,
    chunks: hasOutline,
  });
  if (options["--json"]) return sayJson(document);
  const text = hasOutline ? outline(document, screen) : visible(document.text);
  const head = options["--quiet"] ? "" : `${headOf(document, screen)}\n\n`;
  await say(`${head}${text}`);
};

/** A document by its id, or by the path under which it was taken. */
async function idOf({ base, options, words: [word = ""] }: Bench): Promise<string> {
  if (/^doc_[0-9a-f]{16}$/.test(word)) return word;
  const names = options["--collection"] ?? (await allNames(base));
  const ids = new Map(names.map((name) => [documentId(name, word), name]));
  const store = await base.store();
  const rows = await store.read((sql) =>
    ids.size === 0
      ? Promise.resolve([])
      : sql.all(
          `SELECT id FROM documents WHERE id IN (${[...ids].map(() => "?").join(", ")}) ORDER BY id`,
          ...ids.keys(),
        ),
  );
  const [found, another] = rows.map((row) => String(row["id"]));
  if (another === undefined) return found ?? word;
  const told = rows.map((row) => `${ids.get(String(row["id"]))} (${String(row["id"])})`).toSorted();
  throw new UsageError(`"${word}" is in several collections; say which with -c: ${told.join(", ")}`);
}

function linesOf(options: Options): { start: number; end: number; unit: "lines" } | undefined {
  const word = options["--lines"]?.[0];
  if (word === undefined) return undefined;
  const [, start = "", end = start] = /^(\d{1,9})(?:[-:](\d{1,9}))?$/.exec(word) ?? [];
  const [first, last] = [Number(start), Number(end)];
  if (start === "" || first < 1 || last < first)
    throw new UsageError(`--lines needs lines such as 10-24, not "${word}"`);
  return { start: first, end: last, unit: "lines" };
}

function headOf(document: ShownDocument, { paint }: Screen): string {
  const facts = [
    document.content_type,
    size(document.bytes),
    count(document.lines, "line"),
    count(document.chunk_count, "passage"),
    ...(document.license === null ? [] : [document.license]),
    `${document.collection_id} version ${document.version}`,
  ];
  return [
    paint.bold(visibleLine(document.title)),
    `${paint.cyan(visibleLine(document.source))}  ${paint.faint(document.doc_id)}`,
    paint.faint(visibleLine(facts.join(", "))),
  ].join("\n");
}

const outline = ({ chunks = [] }: ShownDocument, { paint }: Screen): string =>
  chunks
    .map(({ chunk_id: id, type, headings, tokens }) => {
      const trail = headings.map(visibleLine).join(" › ");
      return `${paint.faint(id)}  ${type.padEnd(6)}  ${String(tokens).padStart(4)} tokens  ${trail}`.trimEnd();
    })
    .join("\n");
