import { NO_RANK, type Ranks } from "./ranks.js";

/** Ranks and places go into one number each, so that the lowest rank comes first, and of equal ones the leftmost. */
const PLACES = 2 ** 32;

/**
 * Counts the tokens that a piece of text falls into: of all neighbours that make a token together, those of the lowest rank become
 * one, until none are left. A heap finds them, because a piece can be as long as the text.
 */
export function countMerged(ranks: Ranks, piece: Uint8Array): number {
  const size = piece.length;
  // A part begins at its place and ends where the next one begins.
  const next = new Uint32Array(size + 1);
  const previous = new Int32Array(size + 1);
  const ranked = new Uint32Array(size + 1).fill(NO_RANK);
  const heap: number[] = [];
  const rate = (part: number): void => {
    const neighbour = next[part] as number;
    const rank = neighbour < size ? ranks.rankOf(piece, part, next[neighbour] as number) : NO_RANK;
    ranked[part] = rank;
    if (rank !== NO_RANK) push(heap, rank * PLACES + part);
  };
  for (let place = 0; place <= size; place++) {
    next[place] = place + 1;
    previous[place] = place - 1;
  }
  for (let place = 0; place < size - 1; place++) rate(place);
  let parts = size;
  while (heap.length > 0) {
    const first = pop(heap);
    const part = first % PLACES;
    // What was rated before a neighbour changed counts no more.
    if (ranked[part] !== Math.floor(first / PLACES)) continue;
    const gone = next[part] as number;
    const after = next[gone] as number;
    ranked[gone] = NO_RANK;
    next[part] = after;
    previous[after] = part;
    parts--;
    rate(part);
    if (part > 0) rate(previous[part] as number);
  }
  return parts;
}

function push(heap: number[], value: number): void {
  let at = heap.length;
  heap.push(value);
  while (at > 0) {
    const above = (at - 1) >> 1;
    const held = heap[above] as number;
    if (held <= value) break;
    heap[at] = held;
    at = above;
  }
  heap[at] = value;
}

function pop(heap: number[]): number {
  const first = heap[0] as number;
  const last = heap.pop() as number;
  const size = heap.length;
  if (size === 0) return first;
  let at = 0;
  for (;;) {
    let below = 2 * at + 1;
    if (below >= size) break;
    if (below + 1 < size && (heap[below + 1] as number) < (heap[below] as number)) below++;
    if ((heap[below] as number) >= last) break;
    heap[at] = heap[below] as number;
    at = below;
  }
  heap[at] = last;
  return first;
}
