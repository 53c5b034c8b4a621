/** A rectangle of a picture. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/**
 * Divides a box among sizes, in their order, so that areas are as the sizes and the parts are as square as they can be (Bruls,
 * Huizing, van Wijk: Squarified Treemaps). Largest first gives the best picture.
 */
export function squarify(sizes: readonly number[], box: Box): Box[] {
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const scale = total > 0 ? (box.width * box.height) / total : 0;
  const areas = sizes.map((size) => size * scale);
  const boxes: Box[] = [];
  let free = box;
  for (let from = 0; from < areas.length; ) {
    const side = Math.min(free.width, free.height);
    let to = from + 1;
    while (to < areas.length && worst(areas, from, to + 1, side) <= worst(areas, from, to, side)) to += 1;
    const row = areas.slice(from, to);
    const { placed, rest } = placeRow(row, free);
    boxes.push(...placed);
    free = rest;
    from = to;
  }
  return boxes;
}

/** The ratio of the sides of the part that is the least square, where those from `from` up to `to` share a row. */
function worst(areas: readonly number[], from: number, to: number, side: number): number {
  let sum = 0;
  let least = Number.POSITIVE_INFINITY;
  let most = 0;
  for (let at = from; at < to; at++) {
    const area = areas[at] ?? 0;
    sum += area;
    least = Math.min(least, area);
    most = Math.max(most, area);
  }
  if (sum === 0 || side === 0) return Number.POSITIVE_INFINITY;
  return Math.max((side * side * most) / (sum * sum), (sum * sum) / (side * side * least));
}

/** Lays a row along the shorter side; what is left is the next place to fill. */
function placeRow(row: readonly number[], free: Box): { readonly placed: Box[]; readonly rest: Box } {
  const sum = row.reduce((total, area) => total + area, 0);
  const isUpright = free.width >= free.height;
  const length = isUpright ? free.height : free.width;
  const depth = length > 0 ? Math.min(sum / length, isUpright ? free.width : free.height) : 0;
  let along = 0;
  const placed = row.map((area): Box => {
    const part = depth > 0 ? area / depth : 0;
    const start = along;
    along += part;
    return isUpright
      ? { x: free.x, y: free.y + start, width: depth, height: part }
      : { x: free.x + start, y: free.y, width: part, height: depth };
  });
  const rest = isUpright
    ? { x: free.x + depth, y: free.y, width: free.width - depth, height: free.height }
    : { x: free.x, y: free.y + depth, width: free.width, height: free.height - depth };
  return { placed, rest };
}
