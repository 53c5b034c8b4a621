/** What a citation has that makes it worth trusting. */
export interface CitationParts {
  readonly title: string;
  readonly authors: readonly unknown[];
  readonly url?: string | undefined;
  readonly license?: string | undefined;
  readonly date?: string | undefined;
  readonly version?: number | undefined;
  readonly text: string;
}

const WEIGHTS = { title: 20, authors: 15, url: 10, license: 10, date: 5, version: 5, text: 35 } as const;
/** As many words say something on their own. */
const ENOUGH_WORDS = 20;

/** How complete a citation is, from 0 to 1. */
export function qualityOf({ title, authors, url, license, date, version, text }: CitationParts): number {
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

/** Long enough, and beginning and ending as a sentence does. */
function textQuality(text: string): number {
  const trimmed = text.trim();
  const words = trimmed.split(/\s+/).filter((word) => word !== "").length;
  const begins = /^[^\p{Ll}]/u.test(trimmed) ? 0.2 : 0;
  const ends = /[.!?:;。！？`|)\]}"'”»]$/u.test(trimmed) ? 0.2 : 0;
  return 0.6 * Math.min(1, words / ENOUGH_WORDS) + begins + ends;
}
