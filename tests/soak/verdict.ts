/** What the servers hold while nobody is there, by name. */
export type Rest = Record<"stdio heap" | "stdio descriptors" | "listening heap" | "listening descriptors", number>;

/** How much more the last rounds may hold than the first: what is compiled and kept once, but not what grows with each request. */
const MOST_GROWTH: Readonly<Rest> = {
  "stdio heap": 4 * 2 ** 20,
  "stdio descriptors": 2,
  "listening heap": 4 * 2 ** 20,
  "listening descriptors": 4,
};

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor((values.length - 1) / 2)] ?? 0;

/** Compares the first and the last third of the rounds after those that warm up; says what has grown. */
export function growth(rests: readonly Rest[]): string[] {
  const warm = rests.slice(Math.floor(rests.length / 5));
  const third = Math.max(1, Math.floor(warm.length / 3));
  return (Object.keys(MOST_GROWTH) as (keyof Rest)[]).flatMap((name) => {
    const first = median(warm.slice(0, third).map((rest) => rest[name]));
    const last = median(warm.slice(-third).map((rest) => rest[name]));
    return last - first > MOST_GROWTH[name] ? [`${name}: grew from ${first} to ${last}`] : [];
  });
}
