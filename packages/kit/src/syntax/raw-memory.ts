/**
 * What the parser's memory says of a node whose numbers lie at an index of it: asking the parser for each would cost as much as all else
 * that is done with the node. The first number leads to its subtree. A short leaf is held in that itself, in two numbers; all others
 * are at an address that lies there.
 */

/** Where in what a subtree leads to its length in bytes, the count of its children and its symbol are. */
const [BYTES, CHILDREN, SYMBOL] = [4, 9, 10];

/** The number of its type in the grammar. */
export function symbolAt(heap: Int32Array, at: number): number {
  const alias = heap[at + 4] as number;
  if (alias !== 0) return alias;
  const first = heap[(heap[at] as number) >> 2] as number;
  return isShort(first) ? (first >> 8) & 0xff : (heap[(first >> 2) + SYMBOL] as number) & 0xffff;
}

/** How many UTF-16 units it is long; the parser counts bytes of them. */
export function lengthAt(heap: Int32Array, at: number): number {
  const subtree = (heap[at] as number) >> 2;
  const first = heap[subtree] as number;
  return (isShort(first) ? (heap[subtree + 1] as number) >>> 24 : (heap[(first >> 2) + BYTES] as number)) >> 1;
}

/** Whether nothing lies below it. */
export function isLeafAt(heap: Int32Array, at: number): boolean {
  const first = heap[(heap[at] as number) >> 2] as number;
  return isShort(first) || heap[(first >> 2) + CHILDREN] === 0;
}

/** Addresses are even. */
const isShort = (first: number): boolean => (first & 1) === 1;
