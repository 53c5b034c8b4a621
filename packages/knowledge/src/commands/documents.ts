import { type CommandContext, UsageError } from "@toolwright/kit/cli";
import {
  remark,
  type Screen,
  say,
  sayJson,
  visible,
  visibleLine,
  visibleName,
  WIDEST,
  wrap,
} from "@toolwright/kit/terminal";
import type { Format } from "../citations/cited.js";
import { type ResolvedCitation, resolveCitations } from "../citations/resolve-citations.js";
import { namesOf } from "../collections/find-collection.js";
import { getDocument, type ShownDocument } from "../collections/get-document.js";
import { documentId } from "../ingest/fingerprint.js";
import type { KnowledgeContext } from "../knowledge-context.js";
import { count, formatBytes } from "./format.js";
import { type CommonInput, toCall, withKnowledge } from "./open-knowledge.js";

interface ShowInput extends CommonInput {
  readonly docId: string;
  readonly collection: string | undefined;
  readonly version: number | undefined;
  readonly lines: string | undefined;
  readonly outline: boolean;
}

/** `toolwright kb show` */
export const runShow = (input: ShowInput, ctx: CommandContext): Promise<void> =>
  withKnowledge(ctx, input, async (context) => {
    const { version, outline: hasOutline } = input;
    const options = { version, range: parseLines(input.lines), chunks: hasOutline };
    const document = await getDocument(context, await findId(context, input), options);
    if (input.json) return sayJson(document);
    const text = hasOutline ? showOutline(document, ctx.screen) : visible(document.text);
    await say(`${input.quiet ? "" : `${showHead(document, ctx.screen)}\n\n`}${text}`);
  });

/** A document by its id, or by the path under which it was ingested. */
async function findId(context: KnowledgeContext, { docId, collection }: ShowInput): Promise<string> {
  if (/^doc_[0-9a-f]{16}$/.test(docId)) return docId;
  const store = await context.store();
  const names = collection === undefined ? await store.read(namesOf) : [collection];
  const ids = new Map(names.map((name) => [documentId(name, docId), name]));
  const rows =
    ids.size === 0
      ? []
      : await store.read((sql) =>
          sql.all(
            `SELECT id FROM documents WHERE id IN (${[...ids].map(() => "?").join(", ")}) ORDER BY id`,
            ...ids.keys(),
          ),
        );
  const [found, another] = rows.map((row) => String(row["id"]));
  if (another === undefined) return found ?? docId;
  const all = rows.map((row) => `${ids.get(String(row["id"]))} (${String(row["id"])})`).toSorted();
  throw new UsageError(`"${docId}" is in several collections. Choose one with -c: ${all.join(", ")}`);
}

function parseLines(text: string | undefined): { start: number; end: number; unit: "lines" } | undefined {
  if (text === undefined) return undefined;
  const [, start = "", end = start] = /^(\d{1,9})(?:[-:](\d{1,9}))?$/.exec(text) ?? [];
  const [first, last] = [Number(start), Number(end)];
  if (start === "" || first < 1 || last < first)
    throw new UsageError(`--lines must be a range such as 10-24, not "${text}"`);
  return { start: first, end: last, unit: "lines" };
}

function showHead(document: ShownDocument, { paint }: Screen): string {
  const facts = [
    document.content_type,
    formatBytes(document.bytes),
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

const showOutline = ({ chunks = [] }: ShownDocument, { paint }: Screen): string =>
  chunks
    .map(({ chunk_id: id, type, headings, tokens }) => {
      const trail = headings.map(visibleLine).join(" › ");
      return `${paint.faint(id)}  ${type.padEnd(6)}  ${String(tokens).padStart(4)} tokens  ${trail}`.trimEnd();
    })
    .join("\n");

interface CiteInput extends CommonInput {
  readonly chunkIds: readonly string[];
  readonly format: Format | undefined;
}

/** `toolwright kb cite` */
export const runCite = (input: CiteInput, ctx: CommandContext): Promise<void> =>
  withKnowledge(ctx, input, async (context) => {
    const { chunkIds, format } = input;
    const resolved = await resolveCitations(context, toCall(ctx), { chunk_ids: chunkIds, format });
    const { citations, missing } = resolved;
    if (missing.length > 0) process.exitCode = 1;
    if (input.json || format === "json") return sayJson(resolved);
    for (const id of missing) remark(`toolwright: there is no passage "${id}"`);
    for (const { chunk_id: id, text, ...citation } of citations)
      if (text !== undefined && citation.verified === false) remark(`! ${id}: ${describeChange(citation)}`);
    if (citations.length === 0) return;
    const isSeparated = format === "bibtex" || format === "ris" || format === undefined;
    const shown = citations.map((citation) => showCitation(citation, ctx.screen));
    await say(shown.join(isSeparated ? "\n\n" : "\n"));
  });

function showCitation(citation: ResolvedCitation, { paint, width }: Screen): string {
  const { text, title, source, snippet, headings } = citation;
  if (text !== undefined) return visible(text);
  const trail = [title, ...headings.filter((heading) => heading !== title)].map(visibleLine).join(" › ");
  const version = `${citation.collection} version ${citation.version}${citation.current ? "" : ", which is not active"}`;
  return [
    paint.bold(trail),
    `  ${paint.cyan(`${visibleName(source)}${describeLocation(citation)}`)}  ${describeVerdict(citation, paint)}`,
    `  ${paint.faint(version)}`,
    ...wrap(visibleLine(snippet), Math.min(width, WIDEST) - 2).map((line) => `  ${line}`),
  ].join("\n");
}

/** The pages of a PDF, else the lines as editors and terminals open them. */
function describeLocation({ page, page_end: lastPage, ...lines }: ResolvedCitation): string {
  if (page === undefined) return `:${describeRange(lines)}`;
  return lastPage === undefined ? `, page ${page}` : `, pages ${page}-${lastPage}`;
}

const describeRange = ({
  line_start: first,
  line_end: last,
}: Pick<ResolvedCitation, "line_start" | "line_end">): string => (first === last ? `${first}` : `${first}-${last}`);

function describeVerdict(citation: ResolvedCitation, paint: Screen["paint"]): string {
  if (citation.verified === true) return paint.green("✓ verified");
  if (citation.verified === null) return paint.yellow(`? not verifiable${describeReason(citation)}`);
  return paint.red(`✗ ${describeChange(citation)}`);
}

const describeReason = ({ reason }: Pick<ResolvedCitation, "reason">): string =>
  reason === undefined ? "" : `: ${visibleLine(reason)}`;

function describeChange(citation: Pick<ResolvedCitation, "reason" | "moved">): string {
  const { moved } = citation;
  const plural = moved?.line_start === moved?.line_end ? "" : "s";
  return `outdated${describeReason(citation)}${moved === undefined ? "" : ` (line${plural} ${describeRange(moved)})`}`;
}
