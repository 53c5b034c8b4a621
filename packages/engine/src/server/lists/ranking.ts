import type { Tool } from "../tool.js";

/** A tool, as far as words can find it. */
interface Described {
  readonly tool: Pick<Tool, "name" | "title" | "description">;
  readonly toolsets: readonly string[];
}

/** How often a word counts by where it stands. */
const WEIGHTS = { name: 4, title: 2, toolset: 2, description: 1 };
/** The usual constants of BM25: how soon more of the same word stops to count, and how much long texts lose. */
const SATURATION = 1.2;
const LENGTH_LOSS = 0.75;
/** A word that only begins like another one counts half. */
const BEGINNING = 0.5;
const SHORTEST_BEGINNING = 3;

/** The words of a text, in small letters; `readFile` and `read_file` are two each. */
export const wordsOf = (text: string): string[] =>
  text
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");

interface Document<Entry> {
  readonly entry: Entry;
  readonly counts: ReadonlyMap<string, number>;
  readonly length: number;
}

/** Makes a search over tools that ranks them by words (BM25), best first; those without any of the words are left out. */
export function createRanking<Entry extends Described>(entries: readonly Entry[]): (query: string) => readonly Entry[] {
  const documents = entries.map(readDocument);
  const mean = documents.reduce((sum, { length }) => sum + length, 0) / Math.max(1, documents.length);
  return (query) => {
    const scores = new Map<Entry, number>();
    for (const word of new Set(wordsOf(query))) {
      const found = documents.map((document) => ({ document, count: countOf(word, document) }));
      const holding = found.filter(({ count }) => count > 0);
      const rarity = Math.log(1 + (documents.length - holding.length + 0.5) / (holding.length + 0.5));
      for (const { document, count } of holding) {
        const damping = SATURATION * (1 - LENGTH_LOSS + (LENGTH_LOSS * document.length) / mean);
        const score = (rarity * count * (SATURATION + 1)) / (count + damping);
        scores.set(document.entry, (scores.get(document.entry) ?? 0) + score);
      }
    }
    return [...scores].sort(([, left], [, right]) => right - left).map(([entry]) => entry);
  };
}

function readDocument<Entry extends Described>(entry: Entry): Document<Entry> {
  const { name, title = "", description } = entry.tool;
  const counts = new Map<string, number>();
  let length = 0;
  const add = (text: string, weight: number): void => {
    for (const word of wordsOf(text)) {
      counts.set(word, (counts.get(word) ?? 0) + weight);
      length += 1;
    }
  };
  add(name, WEIGHTS.name);
  add(title, WEIGHTS.title);
  add(entry.toolsets.join(" "), WEIGHTS.toolset);
  add(description, WEIGHTS.description);
  return { entry, counts, length };
}

function countOf<Entry>(word: string, { counts }: Document<Entry>): number {
  const exact = counts.get(word);
  if (exact !== undefined) return exact;
  let most = 0;
  for (const [other, count] of counts) if (isAlike(word, other)) most = Math.max(most, count * BEGINNING);
  return most;
}

const isAlike = (left: string, right: string): boolean =>
  Math.min(left.length, right.length) >= SHORTEST_BEGINNING && (left.startsWith(right) || right.startsWith(left));
