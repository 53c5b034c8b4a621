import { classOf, isName } from "../facts/packed-tokens.js";
import { type Repeat, withoutOverlap } from "./repeats.js";
import type { Work } from "./work.js";

/** How often a stretch that is not a copy all through is looked at again in parts. */
const ROUNDS = 4;

/** How many tokens are looked at; beyond that the project is a table of likes, and what was found by then is told. */
const MOST_LOOKS = 400_000_000;

/** The share of the least that a longer copy must have more: less is the bracket that closes both. */
const LONGER = 0.1;

/** In how many places at most that are alike all through a part is looked for, if it is somewhere else too. */
const MOST_ALIKE = 10;

/** A stretch of tokens in several places. */
export interface Chosen extends Repeat {
  readonly isExact: boolean;
}

/** What is chosen from: the codes of all tokens, and what must hold of a copy. */
export interface Choice {
  readonly codes: Uint32Array;
  readonly least: number;
  /** The same stretch without what stands before its first whole line. */
  readonly trim: (repeat: Repeat) => Repeat;
  /** Whether a stretch is worth to be told. */
  readonly isWorth: (repeat: Repeat) => boolean;
}

/**
 * Chooses the stretches that take the most room first, and of the others those in which enough is new, or which are exact and longer than
 * what was chosen. `taken` says which tokens are in a copy, and is written to.
 */
export function* choose(
  repeats: readonly Repeat[],
  taken: Uint8Array,
  { codes, least, trim, isWorth }: Choice,
): Work<Chosen[]> {
  let chosen: Chosen[] = [];
  let [round, left] = [repeats, MOST_LOOKS];
  for (let turn = 0; turn < ROUNDS && round.length > 0; turn++) {
    const parts: Repeat[] = [];
    for (const repeat of inOrder(round.map(trim))) {
      yield;
      const cost = repeat.length * repeat.starts.length;
      if (left < cost || !isWorth(repeat)) continue;
      left -= cost;
      if (newness(repeat, taken, least) === "none") continue;
      for (const group of yield* split(codes, repeat, least, parts)) {
        const found = newness(group, taken, least);
        if (found === "none" || (found === "more" && !group.isExact)) continue;
        if (found === "more") chosen = chosen.filter((each) => !isWithin(each, group));
        for (const start of group.starts) taken.fill(1, start, start + group.length);
        chosen.push(group);
      }
    }
    round = parts;
  }
  return chosen;
}

const inOrder = (repeats: readonly Repeat[]): Repeat[] =>
  repeats
    .map(({ length, starts }) => ({ length, starts: withoutOverlap(length, starts) }))
    .filter(({ starts }) => starts.length > 1)
    .sort((a, b) => b.length * b.starts.length - a.length * a.starts.length || b.length - a.length);

/** Whether a stretch is mostly new in one of its places, or at least goes on in all of them where what is known ends. */
function newness({ length, starts }: Repeat, taken: Uint8Array, least: number): "enough" | "more" | "none" {
  const enough = Math.ceil(least / 2);
  let isLonger = true;
  for (const start of starts) {
    let fresh = 0;
    for (let at = start; at < start + length && fresh < enough; at++) if (taken[at] === 0) fresh++;
    if (fresh >= enough) return "enough";
    isLonger &&= fresh >= least * LONGER;
  }
  return isLonger ? "more" : "none";
}

/** Whether a stretch says nothing that a longer one does not. */
const isWithin = (part: Repeat, whole: Repeat): boolean =>
  part.starts.every((start) =>
    whole.starts.some((from) => start >= from && start + part.length <= from + whole.length),
  );

/** Parts the places by what each name stands for; what agrees only in part goes to `parts` for the next round. */
function* split(codes: Uint32Array, { length, starts }: Repeat, least: number, parts: Repeat[]): Work<Chosen[]> {
  const groups: Chosen[] = [];
  let rest = starts;
  while (rest.length > 1) {
    const [leader, ...others] = rest as [number, ...number[]];
    const members = [leader];
    const away: number[] = [];
    let isExact = true;
    const shared: { from: number; length: number; other: number }[] = [];
    for (const other of others) {
      yield;
      const found = agreements(codes, [leader, other], length);
      const whole = found.find((each) => each.length === length);
      if (whole?.isProven === true) {
        members.push(other);
        isExact &&= whole.isExact;
        continue;
      }
      away.push(other);
      for (const { from, length: part } of found)
        if (part >= least && part < length) shared.push({ from, length: part, other });
    }
    const alike = members.slice(0, MOST_ALIKE);
    for (const { from, length: part, other } of shared)
      parts.push({ length: part, starts: [...alike, other].map((start) => start + from) });
    if (members.length > 1) groups.push({ length, starts: members, isExact });
    // Where each is a thing of its own, one against all others is enough.
    rest = members.length === 1 && groups.length === 0 && away.length > 100 ? [] : away;
  }
  return groups;
}

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
