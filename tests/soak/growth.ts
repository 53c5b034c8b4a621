/** The resources that the idle servers hold, by name. */
export type Usage = Record<"stdio heap" | "stdio descriptors" | "listening heap" | "listening descriptors", number>;

/**
 * The allowed growth between the first and last rounds: room for what is compiled and cached once, but not for growth
 * with each request.
 */
const MAX_GROWTH: Readonly<Usage> = {
  "stdio heap": 4 * 2 ** 20,
  "stdio descriptors": 2,
  "listening heap": 4 * 2 ** 20,
  "listening descriptors": 4,
};

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor((values.length - 1) / 2)] ?? 0;

/** Compares the first and last third of the rounds after warm-up, and describes what has grown. */
export function describeGrowth(usages: readonly Usage[]): string[] {
  const warm = usages.slice(Math.floor(usages.length / 5));
  const third = Math.max(1, Math.floor(warm.length / 3));
  return (Object.keys(MAX_GROWTH) as (keyof Usage)[]).flatMap((name) => {
    const first = median(warm.slice(0, third).map((usage) => usage[name]));
    const last = median(warm.slice(-third).map((usage) => usage[name]));
    return last - first > MAX_GROWTH[name] ? [`${name}: grew from ${first} to ${last}`] : [];
  });
}
