/**
 * The rows with the fewest differing bits, in order of their numbers; `limit` at most, fewer only where there are not as many.
 * Distances are whole numbers of `bits` at most, so that counting them is cheaper than sorting.
 */
export function nearestBits(distances: Uint16Array, bits: number, limit: number): Uint32Array {
  // Those that are left out are counted beyond the end, which is nowhere.
  const counts = new Uint32Array(bits + 1);
  for (let row = 0; row < distances.length; row++) counts[distances[row] as number]!++;
  let nearer = 0;
  let edge = 0;
  while (edge <= bits && nearer + (counts[edge] as number) <= limit) nearer += counts[edge++] as number;
  let atEdge = edge > bits ? 0 : limit - nearer;
  const rows = new Uint32Array(nearer + atEdge);
  const last = Math.min(edge, bits);
  let found = 0;
  for (let row = 0; row < distances.length; row++) {
    const distance = distances[row] as number;
    if (distance > last || (distance === edge && atEdge-- <= 0)) continue;
    rows[found++] = row;
  }
  return rows;
}
