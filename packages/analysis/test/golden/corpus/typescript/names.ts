import { watch } from "./watch";

const registry: Record<string, (value: unknown) => boolean> = {
  text: (value) => typeof value === "string",
  "whole-number": function (value) {
    return typeof value === "number" && Number.isInteger(value);
  },
  any() {
    return true;
  },
};

registry["odd"] = (value) => registry["whole-number"]?.(value) === true && Number(value) % 2 === 1;

const compose = (one: (x: number) => number) => (other: (x: number) => number) => (x: number) => other(one(x));

watch("changes", async function onChange({ path, kind }: { path: string; kind?: string }) {
  if (kind === "removed" || !path) return;
  await watch(path, () => onChange({ path }));
});

class Timer {
  tick = 0;
  readonly stop = function (this: Timer) {
    this.tick = -1;
  };
  static from({ tick = 0 }: Partial<Timer> = {}): Timer {
    return Object.assign(new Timer(), { tick });
  }
}

export function isLeap(year: number): boolean {
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
}

export function clamp(value: number, low: number, high: number): number {
  if (value < low) return low;
  if (value > high) return high;
  return value;
}

export default function (list: readonly number[]): number {
  let most = Number.NEGATIVE_INFINITY;
  for (const index in list) most = Math.max(most, list[index] ?? most);
  return most;
}
