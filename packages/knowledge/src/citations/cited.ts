import type { SourceSpan } from "../documents/reading.js";
import type { Passage } from "./passage.js";

/** The citation formats. */
export const FORMATS = ["json", "apa", "mla", "chicago", "ieee", "harvard", "bibtex", "ris"] as const;
/** A citation format. */
export type Format = (typeof FORMATS)[number];

/** The fields of a bibliography entry. */
export interface Cited {
  readonly title: string;
  readonly authors: readonly Author[];
  /** The date in the metadata, else the modification date of the file: year, month and day as far as known. */
  readonly date: readonly number[];
  readonly version: number;
  readonly url: string | undefined;
  /** The path or the name of the source. */
  readonly source: string;
  readonly license: string | undefined;
  readonly span: SourceSpan;
  /** The access date. */
  readonly looked: readonly number[];
}

/** The metadata fields with a date, preferred ones first. */
const DATES = ["date", "published", "article:published_time", "created", "modified"];
const DATE = /^(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?/;

/** Collects the fields of a bibliography entry. */
export function toCited(passage: Passage, now: string): Cited {
  const { metadata, title, modifiedAt, version, source, url, license, first, last } = passage;
  const date = DATES.map((name) => metadata[name] ?? "").find((text) => DATE.test(text));
  return {
    title: oneLine(title),
    authors: readAuthors(metadata),
    date: readDate(date ?? modifiedAt ?? ""),
    version,
    url: url ?? undefined,
    source,
    license: license ?? undefined,
    span: passage.locate(first, last),
    looked: readDate(now),
  };
}

/** Replaces line breaks and control characters with spaces. */
export const oneLine = (text: string): string => text.replaceAll(/[\s\p{Cc}]+/gu, " ").trim();

function readDate(text: string): readonly number[] {
  const [, ...parts] = DATE.exec(text) ?? [];
  return parts.filter((part) => part !== undefined).map(Number);
}

const MONTHS = "January February March April May June July August September October November December".split(" ");

/** "May"; undefined if the date has no month. */
export const monthOf = ([, month]: readonly number[]): string | undefined =>
  month === undefined ? undefined : MONTHS[month - 1];

/** "Nov."; "May", "June" and "July" stay unchanged. */
export function shortMonthOf(date: readonly number[]): string | undefined {
  const month = monthOf(date);
  return month === undefined || month.length < 5 ? month : `${month.slice(0, 3)}.`;
}

/** "6 May 2024" */
export const dayFirst = (date: readonly number[], month = monthOf(date)): string =>
  [date[2], month, date[0]].filter((part) => part !== undefined).join(" ");

/** "May 6, 2024" */
export function monthFirst(date: readonly number[], month = monthOf(date)): string {
  const [year, , day] = date;
  if (month === undefined) return String(year ?? "");
  return day === undefined ? `${month} ${year}` : `${month} ${day}, ${year}`;
}

/** "lines 10–24"; in a PDF "page 3, lines 1–4". */
export function locationOf({ line_start: start, line_end: end, page, page_end: lastPage }: SourceSpan): string {
  if (page !== undefined && lastPage !== undefined) return `pages ${page}–${lastPage}`;
  const lines = start === end ? `line ${start}` : `lines ${start}–${end}`;
  return page === undefined ? lines : `page ${page}, ${lines}`;
}

/** The source and the lines in it, such as "docs/a.md#L10-L24". */
export const anchorOf = (source: string, { line_start: start, line_end: end, page }: SourceSpan): string =>
  `${source}#${page === undefined ? "" : `page=${page}&`}L${start}${end === start ? "" : `-L${end}`}`;

/** An author. Organisations have no given name. */
export interface Author {
  readonly family: string;
  readonly given?: string;
}

const MAX_AUTHORS = 50;
/** Particles that belong to a family name. */
const PARTICLE = /^(?:von|van|de|der|den|del|della|di|da|dos|du|la|le|ten|ter|al|bin|ibn)$/;

/** Parses the authors in the metadata: "Jane Doe and John Roe", "Doe, Jane; Roe, John", "[Jane Doe, John Roe]". */
function readAuthors(metadata: Readonly<Record<string, string>>): readonly Author[] {
  const names = metadata["authors"] ?? metadata["author"] ?? metadata["creator"] ?? metadata["dc.creator"] ?? "";
  const groups = names
    .replaceAll(/^\[|\]$|<[^<>]*>|["\n\r]/g, " ")
    .split(/;|\s&\s|\sand\s/)
    .flatMap(splitNames);
  return groups
    .map(readAuthor)
    .filter((author) => author !== undefined)
    .slice(0, MAX_AUTHORS);
}

/** Splits at commas if each part is a full name. Otherwise the comma separates a family name from a given name. */
function splitNames(group: string): readonly string[] {
  const parts = group
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
  return parts.length > 1 && parts.every((part) => part.includes(" ")) ? parts : [parts.join(", ")];
}

function readAuthor(name: string): Author | undefined {
  const clean = name.replaceAll(/\s+/g, " ").trim();
  if (clean === "") return undefined;
  const [family = "", given] = clean.split(", ");
  if (given !== undefined) return { family, given };
  const words = clean.split(" ");
  if (words.length === 1 || words.length > 5) return { family: clean };
  let at = words.length - 1;
  while (at > 1 && PARTICLE.test(words[at - 1] ?? "")) at -= 1;
  return { family: words.slice(at).join(" "), given: words.slice(0, at).join(" ") };
}

/** "Doe, J. A." */
export const familyFirst = ({ family, given }: Author): string =>
  given === undefined ? family : `${family}, ${initialsOf(given)}`;

/** "J. A. Doe" */
export const initialsFirst = ({ family, given }: Author): string =>
  given === undefined ? family : `${initialsOf(given)} ${family}`;

/** "Doe, Jane Ann" */
export const inverted = ({ family, given }: Author): string => (given === undefined ? family : `${family}, ${given}`);

/** "Jane Ann Doe" */
export const inOrder = ({ family, given }: Author): string => (given === undefined ? family : `${given} ${family}`);

const initialsOf = (given: string): string =>
  given
    .split(/[\s-]+/)
    .map((name) => `${Array.from(name)[0] ?? ""}.`)
    .join(" ");
