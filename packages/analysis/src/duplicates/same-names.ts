import { classOf, isName } from "../facts/packed-tokens.js";

/** A part of two stretches in which they are copies of each other. */
export interface Agreement {
  /** From the beginning of the stretches. */
  readonly from: number;
  readonly length: number;
  /** Whether they are the same to the letter. */
  readonly isExact: boolean;
  /** Whether enough names are the same, or come up again in the same role, and few literals differ. */
  readonly isProven: boolean;
}

/** The share of names that must be proven: in a list of members each comes up once, and that proves nothing. */
const PROVEN = 0.4;

/** The share of tokens that may be literals which differ: tables have more. */
const CHANGED = 0.1;

/** The longest parts in which two stretches are copies: words are the same, and each name always stands for the same other name. */
export function agreements(codes: Uint32Array, [a, b]: readonly [number, number], length: number): Agreement[] {
  const found: Agreement[] = [];
  const [forth, back] = [new Map<number, Meeting>(), new Map<number, Meeting>()];
  let from = 0;
  for (let at = 0; at < length; at++) {
    const [one, two] = [codes[a + at] as number, codes[b + at] as number];
    let next = from;
    if (isName(one) && isName(two)) {
      // What has last met before the part begins is forgotten.
      next = Math.max(next, past(forth.get(one), two), past(back.get(two), one));
      forth.set(one, { name: two, at });
      back.set(two, { name: one, at });
    } else if (one !== two && (classOf(one) === 0 || classOf(one) !== classOf(two))) next = at + 1;
    if (next > from) add(at);
    from = next;
  }
  add(length);
  return found;

  function add(end: number): void {
    if (end > from) found.push({ from, length: end - from, ...proofOf(codes, [a + from, b + from], end - from) });
  }
}

interface Meeting {
  readonly name: number;
  readonly at: number;
}

/** The first place at which a name is free to stand for another one. */
const past = (meeting: Meeting | undefined, name: number): number =>
  meeting === undefined || meeting.name === name ? 0 : meeting.at + 1;

function proofOf(codes: Uint32Array, [a, b]: readonly [number, number], length: number) {
  const seen = new Set<number>();
  let [isExact, names, proven, changed] = [true, 0, 0, 0];
  for (let at = 0; at < length; at++) {
    const [one, two] = [codes[a + at] as number, codes[b + at] as number];
    isExact &&= one === two;
    if (!isName(one)) {
      if (one !== two) changed++;
      continue;
    }
    names++;
    if (one === two || seen.has(one)) proven++;
    seen.add(one);
  }
  return { isExact, isProven: proven >= names * PROVEN && changed <= length * CHANGED };
}
