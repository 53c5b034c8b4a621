import { classOf, isName } from "../facts/tokens.js";
import { type Repeat, type Work, withoutOverlap } from "./repeats.js";

/** How often a sequence that is only partly a copy is split and examined again. */
const MAX_ROUNDS = 4;

/** How many tokens are compared. The result has what was found by then; a project that needs more is a table of similar values. */
const MAX_COMPARISONS = 400_000_000;

/** How much longer a copy must be than one that is already chosen, as a share of the minimum: less is only a closing bracket. */
const MIN_EXTENSION = 0.1;

/** How many copies represent a group when its parts are searched elsewhere. */
const MAX_REPRESENTATIVES = 10;

/** A chosen sequence of tokens. */
export interface ChosenRepeat extends Repeat {
  readonly isExact: boolean;
}

/** The codes of all tokens, and the conditions for a copy. */
export interface ChooseOptions {
  readonly codes: Uint32Array;
  readonly least: number;
  /** Removes the tokens before the first whole line. */
  readonly trim: (repeat: Repeat) => Repeat;
  /** Whether a sequence is worth reporting. */
  readonly isRelevant: (repeat: Repeat) => boolean;
}

/**
 * Chooses the sequences that cover the most tokens first, then those that cover enough new ones, or that are exact and longer than a chosen
 * one. `taken` marks the tokens that are in a copy, and is updated.
 */
export function* choose(
  repeats: readonly Repeat[],
  taken: Uint8Array,
  { codes, least, trim, isRelevant }: ChooseOptions,
): Work<ChosenRepeat[]> {
  let chosen: ChosenRepeat[] = [];
  let [round, left] = [repeats, MAX_COMPARISONS];
  for (let turn = 0; turn < MAX_ROUNDS && round.length > 0; turn++) {
    const parts: Repeat[] = [];
    for (const repeat of inOrder(round.map(trim))) {
      yield;
      const cost = repeat.length * repeat.starts.length;
      if (left < cost || !isRelevant(repeat)) continue;
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

/** Whether a sequence is mostly new at one of its positions, or at least extends what is known at all of them. */
function newness({ length, starts }: Repeat, taken: Uint8Array, least: number): "enough" | "more" | "none" {
  const enough = Math.ceil(least / 2);
  let isLonger = true;
  for (const start of starts) {
    let fresh = 0;
    for (let at = start; at < start + length && fresh < enough; at++) if (taken[at] === 0) fresh++;
    if (fresh >= enough) return "enough";
    isLonger &&= fresh >= least * MIN_EXTENSION;
  }
  return isLonger ? "more" : "none";
}

/** Whether a sequence is a part of a longer one everywhere. */
const isWithin = (part: Repeat, whole: Repeat): boolean =>
  part.starts.every((start) =>
    whole.starts.some((from) => start >= from && start + part.length <= from + whole.length),
  );

/** Groups the positions by the consistent renaming of identifiers. Sequences that agree only partly go to `parts`, for the next round. */
function* split(codes: Uint32Array, { length, starts }: Repeat, least: number, parts: Repeat[]): Work<ChosenRepeat[]> {
  const groups: ChosenRepeat[] = [];
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
    const alike = members.slice(0, MAX_REPRESENTATIVES);
    for (const { from, length: part, other } of shared)
      parts.push({ length: part, starts: [...alike, other].map((start) => start + from) });
    if (members.length > 1) groups.push({ length, starts: members, isExact });
    // If all differ, comparing one with all others is enough.
    rest = members.length === 1 && groups.length === 0 && away.length > 100 ? [] : away;
  }
  return groups;
}

/** A part of two sequences in which they are copies of each other. */
interface Agreement {
  /** Relative to the start of the sequences. */
  readonly from: number;
  readonly length: number;
  /** Whether they are identical. */
  readonly isExact: boolean;
  /** Whether enough identifiers are equal or are used again in the same role, and few literals differ. */
  readonly isProven: boolean;
}

/** The share of identifiers that must be confirmed. In a list of members each is used once, which confirms nothing. */
const MIN_CONFIRMED = 0.4;

/** The share of tokens that may be different literals. Tables have more. */
const MAX_CHANGED = 0.1;

/** The longest parts in which two sequences are copies: keywords are equal, and each identifier always stands for the same other one. */
function agreements(codes: Uint32Array, [a, b]: readonly [number, number], length: number): Agreement[] {
  const found: Agreement[] = [];
  const [forth, back] = [new Map<number, Meeting>(), new Map<number, Meeting>()];
  let from = 0;
  for (let at = 0; at < length; at++) {
    const [one, two] = [codes[a + at] as number, codes[b + at] as number];
    let next = from;
    if (isName(one) && isName(two)) {
      // Pairs from before the start of the part do not matter.
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

/** The first position at which an identifier may stand for another one. */
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
  return { isExact, isProven: proven >= names * MIN_CONFIRMED && changed <= length * MAX_CHANGED };
}
