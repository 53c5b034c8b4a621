import { type Repeat, withoutOverlap } from "./repeats.js";
import { agreements } from "./same-names.js";

/** How often a stretch that is not a copy all through is looked at again in parts. */
const ROUNDS = 4;

/** How many tokens are looked at; beyond that the project is a table of likes, and what was found by then is told. */
const MOST_LOOKS = 400_000_000;

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
 * Chooses the stretches that take the most room first, and of the others those in which enough is new. `taken` says which tokens are
 * in a copy, and is written to.
 */
export function choose(
  repeats: readonly Repeat[],
  taken: Uint8Array,
  { codes, least, trim, isWorth }: Choice,
): Chosen[] {
  const chosen: Chosen[] = [];
  const enough = Math.ceil(least / 2);
  let [round, left] = [repeats, MOST_LOOKS];
  for (let turn = 0; turn < ROUNDS && round.length > 0; turn++) {
    const parts: Repeat[] = [];
    for (const repeat of inOrder(round.map(trim))) {
      const cost = repeat.length * repeat.starts.length;
      if (left < cost || !isWorth(repeat)) continue;
      left -= cost;
      if (!hasNew(repeat, taken, enough)) continue;
      for (const group of split(codes, repeat, least, parts)) {
        if (!hasNew(group, taken, enough)) continue;
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

/** Whether in one of the places enough is not known yet. */
function hasNew({ length, starts }: Repeat, taken: Uint8Array, enough: number): boolean {
  return starts.some((start) => {
    let fresh = 0;
    for (let at = start; at < start + length && fresh < enough; at++) if (taken[at] === 0) fresh++;
    return fresh >= enough;
  });
}

/** Parts the places by what each name stands for; what agrees only in part goes to `parts` for the next round. */
function split(codes: Uint32Array, { length, starts }: Repeat, least: number, parts: Repeat[]): Chosen[] {
  const groups: Chosen[] = [];
  let rest = starts;
  while (rest.length > 1) {
    const [leader, ...others] = rest as [number, ...number[]];
    const members = [leader];
    const away: number[] = [];
    let isExact = true;
    for (const other of others) {
      const found = agreements(codes, [leader, other], length);
      const whole = found.find((each) => each.length === length);
      if (whole?.isProven === true) {
        members.push(other);
        isExact &&= whole.isExact;
        continue;
      }
      away.push(other);
      for (const { from, length: part } of found)
        if (part >= least && part < length) parts.push({ length: part, starts: [leader + from, other + from] });
    }
    if (members.length > 1) groups.push({ length, starts: members, isExact });
    // Where each is a thing of its own, one against all others is enough.
    rest = members.length === 1 && groups.length === 0 && away.length > 100 ? [] : away;
  }
  return groups;
}
