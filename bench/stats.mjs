/** The value below which the given share of the values lies; NaN for no values. */
export function quantile(/** @type {number[]} */ values, /** @type {number} */ share) {
  const sorted = values.toSorted((a, b) => a - b);
  const place = (sorted.length - 1) * share;
  const low = Math.floor(place);
  const high = Math.ceil(place);
  return sorted.length === 0 ? Number.NaN : sorted[low] + (sorted[high] - sorted[low]) * (place - low);
}

/** The middle value: one disturbed pass does not move it. */
export function median(/** @type {number[]} */ values) {
  return quantile(values, 0.5);
}

/** Half the distance of the quartiles as a share of the median: how far to trust the median. */
export function spread(/** @type {number[]} */ values) {
  return (quantile(values, 0.75) - quantile(values, 0.25)) / 2 / median(values);
}

/**
 * The ratios of two servers, pass by pass: both sides of a ratio were measured a moment apart, so what the machine
 * did meanwhile cancels out.
 * @param {{ round: number, pass: number, micros: number }[]} passes
 * @param {{ round: number, pass: number, micros: number }[]} base
 */
export function ratios(passes, base) {
  const baseAt = new Map(base.map((entry) => [`${entry.round}.${entry.pass}`, entry.micros]));
  return passes.flatMap(({ round, pass, micros }) => {
    const other = baseAt.get(`${round}.${pass}`);
    return other === undefined ? [] : [micros / other];
  });
}
