/** A sentence, with its offsets in the passage. */
export interface Sentence {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The minimum number of words (characters in scripts without spaces), without and with a full stop. */
const MIN_WORDS = 4;
const MIN_WORDS_ENDED = 2;
/** The maximum length of a sentence in characters. */
const MAX_LENGTH = 1200;

const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
const FENCE = /^\s*(?:```|~~~)/;
/** The start of a line that is its own paragraph: a list item, a quotation or a table row. */
const OWN = /^\s*(?:[-*+•]\s|\d{1,3}[.)]\s|>|\|)/;
const HEADING = /^\s*#{1,6}\s/;
const RULE = /^\s*(?:\|?[\s:|-]+\|?|[=*_-]{3,})\s*$/;

let segmenter: Intl.Segmenter | undefined;

/** Returns the sentences of a passage, without headings, rules and code blocks. */
export function sentencesOf(text: string): readonly Sentence[] {
  return paragraphsOf(text).flatMap(({ start, end }) => split(text, start, end));
}

interface TextSpan {
  readonly start: number;
  readonly end: number;
}

function paragraphsOf(text: string): readonly TextSpan[] {
  const found: TextSpan[] = [];
  let [open, isCode, at]: [number | undefined, boolean, number] = [undefined, false, 0];
  const close = (end: number): void => {
    if (open !== undefined) found.push({ start: open, end });
    open = undefined;
  };
  for (const line of text.split("\n")) {
    const isFence = FENCE.test(line);
    const isOut = isCode || isFence || line.trim() === "" || HEADING.test(line) || RULE.test(line);
    if (isFence) isCode = !isCode;
    if (isOut || OWN.test(line)) close(at - 1);
    if (!isOut) open ??= at;
    at += line.length + 1;
  }
  close(text.length);
  return found;
}

function split(text: string, start: number, end: number): readonly Sentence[] {
  const paragraph = text.slice(start, end);
  // A table row is one sentence.
  if (/^\s*\|/.test(paragraph)) return trimmed(text, start, end);
  segmenter ??= new Intl.Segmenter("en", { granularity: "sentence" });
  const found: TextSpan[] = [];
  for (const { segment, index } of segmenter.segment(paragraph)) {
    const last = found.at(-1);
    const span = { start: start + index, end: start + index + segment.length };
    // Neither a line break nor an abbreviation ends a sentence.
    if (last !== undefined && !isEnded(text.slice(last.start, last.end)))
      found[found.length - 1] = { start: last.start, end: span.end };
    else found.push(span);
  }
  return found.flatMap((one) => trimmed(text, one.start, one.end));
}

const isEnded = (text: string): boolean =>
  /[.!?:…。！？]["'”’»)\]*_`]*\s*$/u.test(text) &&
  !/\b(?:e\.g|i\.e|etc|vs|cf|Dr|Mr|Mrs|Ms|No|Fig|approx)\.\s*$/.test(text);

function trimmed(text: string, from: number, to: number): readonly Sentence[] {
  const raw = text.slice(from, to);
  // Skips list and quotation markers, and closing bold markers of the previous sentence.
  const start = from + (/^\s*(?:(?:[-*+•]|\*\*|__|\d{1,3}[.)]|>)\s+)*/.exec(raw)?.[0].length ?? 0);
  const end = to - (/\s*$/.exec(raw)?.[0].length ?? 0);
  const sentence = text.slice(start, end);
  const minWords = /[.!?]["'”’»)]*$/u.test(sentence) ? MIN_WORDS_ENDED : MIN_WORDS;
  const isPart = UNSPACED.test(sentence) ? sentence.length < MIN_WORDS : sentence.split(/\s+/).length < minWords;
  return isPart || sentence.length > MAX_LENGTH ? [] : [{ start, end, text: sentence }];
}
