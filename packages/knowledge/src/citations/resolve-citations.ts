import { ToolError } from "@toolwright/engine";
import type { SourceSpan } from "../documents/reading.js";
import type { FileCaller, KnowledgeContext } from "../knowledge-context.js";
import { anchorOf, type Format, toCited } from "./cited.js";
import { BibtexKeys, STYLES, toBibtex, toRis } from "./formats.js";
import { type Passage, readPassages } from "./passage.js";
import { type Verdict, Verifier } from "./verify.js";

/** The passages to cite, and the format. */
export interface CitationOptions {
  readonly chunk_ids: readonly string[];
  readonly format?: Format | undefined;
}

/** The source of a passage, and whether it still contains the passage. */
export interface ResolvedCitation extends SourceSpan, Verdict {
  readonly chunk_id: string;
  readonly document_id: string;
  readonly collection: string;
  readonly version: number;
  /** Whether the active version contains it. */
  readonly current: boolean;
  readonly title: string;
  readonly source: string;
  readonly url?: string;
  readonly anchor: string;
  readonly headings: readonly string[];
  readonly authors: readonly string[];
  readonly date?: string;
  readonly license?: string;
  readonly license_terms?: LicenseTerms;
  /** How complete it is, from 0 to 1. */
  readonly quality: number;
  /** The start of the passage. */
  readonly snippet: string;
  /** The entry in the requested format. */
  readonly text?: string;
}

/** The citations in the order of the IDs, and the IDs that no version contains. */
export interface ResolvedCitations {
  readonly citations: readonly ResolvedCitation[];
  readonly missing: readonly string[];
}

const SNIPPET = 200;
const ID = /^[^/\\]{1,255}$/;

/** Locates passages in their sources, and verifies that the sources still contain them. */
export async function resolveCitations(
  context: KnowledgeContext,
  call: FileCaller,
  options: CitationOptions,
): Promise<ResolvedCitations> {
  const { chunk_ids: ids, format = "json" } = options;
  const wanted = [...new Set(ids)];
  checkIds(wanted);
  const store = await context.store();
  const passages = await store.read((sql) => readPassages(sql, wanted));
  const verifier = new Verifier(() => context.fileAccess(call), context.settings.maxDocumentBytes);
  const [now, keys] = [context.now(), new BibtexKeys()];
  const citations: ResolvedCitation[] = [];
  try {
    for (const id of wanted) {
      call.signal.throwIfAborted();
      const passage = passages.get(id);
      if (passage === undefined) continue;
      citations.push(toCitation(passage, await verifier.verify(passage), { format, now, keys }));
    }
  } finally {
    await verifier.close();
  }
  return { citations, missing: wanted.filter((id) => !passages.has(id)) };
}

function checkIds(ids: readonly string[]): void {
  const wrong = ids.find((id) => !ID.test(id) || id.includes(".."));
  if (wrong === undefined) return;
  throw new ToolError(
    `Cannot cite ${JSON.stringify(wrong.slice(0, 100))}: it is not a passage id. Use the "chunk_id" of a search result.`,
    { code: "INVALID_ARGUMENT", details: { chunk_id: wrong.slice(0, 100) } },
  );
}

function toCitation(
  passage: Passage,
  verdict: Verdict,
  { format, now, keys }: { readonly format: Format; readonly now: string; readonly keys: BibtexKeys },
): ResolvedCitation {
  const cited = toCited(passage, now);
  const { license, url, span, date, authors } = cited;
  const terms = license === undefined ? undefined : termsOf(license);
  const written = date.map((part) => String(part).padStart(2, "0")).join("-");
  return {
    chunk_id: passage.chunk,
    document_id: passage.document,
    collection: passage.collection,
    version: passage.version,
    current: passage.isCurrent,
    title: passage.title,
    source: passage.source,
    ...(url !== undefined && { url }),
    anchor: anchorOf(passage.source, span),
    ...span,
    headings: passage.headings,
    authors: authors.map(({ family, given }) => (given === undefined ? family : `${given} ${family}`)),
    ...(written !== "" && { date: written }),
    ...(license !== undefined && { license }),
    ...(terms !== undefined && { license_terms: terms }),
    quality: qualityOf({ ...cited, date: written || undefined, text: passage.text }),
    snippet: shorten(passage.text),
    ...verdict,
    ...(format === "bibtex" && { text: toBibtex(cited, keys) }),
    ...(format === "ris" && { text: toRis(cited) }),
    ...(format !== "json" && format !== "bibtex" && format !== "ris" && { text: STYLES[format](cited) }),
  };
}

function shorten(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length <= SNIPPET ? line : `${line.slice(0, SNIPPET).replace(/[\ud800-\udbff]$/, "")}…`;
}

/** The terms of a licence, as far as its name identifies them. */
interface LicenseTerms {
  /** Requires attribution. */
  readonly attribution: boolean;
  readonly commercial: boolean;
  readonly derivatives: boolean;
  /** Derivatives must have the same licence. */
  readonly share_alike: boolean;
}

const OPEN: LicenseTerms = { attribution: true, commercial: true, derivatives: true, share_alike: false };
const PUBLIC_DOMAIN = /^(?:CC0-|Unlicense$|0BSD$)/;
const PERMISSIVE = /^(?:MIT|ISC|BSD-|Apache-|Zlib$|BSL-|PSF-|Python-)/;
const RECIPROCAL = /^(?:A?GPL-|LGPL-|MPL-|EPL-|EUPL-)/;
const CREATIVE = /^CC-BY(?:-(?:NC|ND|SA))*-\d/;

/** Returns the terms of a licence by its SPDX ID; undefined if they are not known. */
function termsOf(license: string): LicenseTerms | undefined {
  if (PUBLIC_DOMAIN.test(license)) return { ...OPEN, attribution: false };
  if (PERMISSIVE.test(license)) return OPEN;
  if (RECIPROCAL.test(license)) return { ...OPEN, share_alike: true };
  if (!CREATIVE.test(license)) return undefined;
  return {
    attribution: true,
    commercial: !license.includes("-NC"),
    derivatives: !license.includes("-ND"),
    share_alike: license.includes("-SA"),
  };
}

/** The parts of a citation that count towards its quality. */
interface CitationParts {
  readonly title: string;
  readonly authors: readonly unknown[];
  readonly url?: string | undefined;
  readonly license?: string | undefined;
  readonly date?: string | undefined;
  readonly version?: number | undefined;
  readonly text: string;
}

const WEIGHTS = { title: 20, authors: 15, url: 10, license: 10, date: 5, version: 5, text: 35 } as const;
/** The number of words from which a passage is long enough to be quoted. */
const ENOUGH_WORDS = 20;

/** Computes how complete a citation is, from 0 to 1. */
function qualityOf({ title, authors, url, license, date, version, text }: CitationParts): number {
  const points =
    (title === "" ? 0 : WEIGHTS.title) +
    (authors.length === 0 ? 0 : WEIGHTS.authors) +
    (url === undefined ? 0 : WEIGHTS.url) +
    (license === undefined ? 0 : WEIGHTS.license) +
    (date === undefined ? 0 : WEIGHTS.date) +
    (version === undefined ? 0 : WEIGHTS.version) +
    textQuality(text) * WEIGHTS.text;
  return Math.round(points) / 100;
}

/** Rates a text by its length, and whether it starts and ends like a sentence. */
function textQuality(text: string): number {
  const trimmed = text.trim();
  const words = trimmed.split(/\s+/).filter((word) => word !== "").length;
  const begins = /^[^\p{Ll}]/u.test(trimmed) ? 0.2 : 0;
  const ends = /[.!?:;。！？`|)\]}"'”»]$/u.test(trimmed) ? 0.2 : 0;
  return 0.6 * Math.min(1, words / ENOUGH_WORDS) + begins + ends;
}
