/** One line of numbers. */
interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** All samples of one metric. */
export interface Family {
  readonly name: string;
  readonly type: string;
  readonly help: string;
  readonly samples: readonly Sample[];
}

interface Reading {
  readonly name: string;
  readonly help: string;
  readonly type: string;
  readonly samples: Sample[];
}

const NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const SAMPLE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{((?:[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\[\\n"])*",?)*)\})? (\S+)$/;
const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\]|\\.)*)"(?:,|$)/g;
const ENDINGS: Readonly<Record<string, readonly string[]>> = {
  counter: [""],
  gauge: [""],
  histogram: ["_bucket", "_sum", "_count"],
};

/** Reads text of version 0.0.4 of Prometheus' form, and throws at the first thing that is not as it has it. */
export function readMetrics(text: string): ReadonlyMap<string, Family> {
  if (!text.endsWith("\n")) throw new Error("the last line does not end");
  const families = new Map<string, Reading>();
  const seen = new Set<string>();
  let open: Reading | undefined;
  let help: { name: string; text: string } | undefined;
  for (const line of text.slice(0, -1).split("\n")) {
    const [, kind, name = "", rest = ""] = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line) ?? [];
    if (kind === "HELP") {
      if (!NAME.test(name) || families.has(name)) throw new Error(`duplicate, or no name: ${line}`);
      if (!/^(?:[^\\]|\\[\\n])*$/.test(rest)) throw new Error(`wrong escape: ${line}`);
      help = { name, text: unescape(rest) };
    } else if (kind === "TYPE") {
      if (help?.name !== name) throw new Error(`a type without its help: ${line}`);
      if (ENDINGS[rest] === undefined) throw new Error(`unknown type: ${line}`);
      open = { name, help: help.text, type: rest, samples: [] };
      families.set(name, open);
    } else {
      const sample = readSample(line);
      if (open === undefined || !(ENDINGS[open.type] ?? []).some((ending) => sample.name === open?.name + ending))
        throw new Error(`a number outside of its family: ${line}`);
      const series = JSON.stringify([sample.name, Object.entries(sample.labels).map(String).sort()]);
      if (seen.has(series)) throw new Error(`duplicate: ${line}`);
      seen.add(series);
      open.samples.push(sample);
    }
  }
  for (const family of families.values()) check(family);
  return families;
}

function readSample(line: string): Sample {
  const [, name = "", labels = "", number = ""] = SAMPLE.exec(line) ?? [];
  if (name === "") throw new Error(`no sample: ${line}`);
  const pairs = [...labels.matchAll(LABEL)].map(
    ({ 1: label = "", 2: value = "" }) => [label, unescape(value)] as const,
  );
  if (new Set(pairs.map(([label]) => label)).size !== pairs.length) throw new Error(`a label twice: ${line}`);
  if (!/^(?:[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?|[+-]Inf|NaN)$/.test(number)) throw new Error(`no number: ${line}`);
  return { name, labels: Object.fromEntries(pairs), value: toNumber(number) };
}

const unescape = (text: string): string => text.replaceAll(/\\(.)/g, (_all, sign) => (sign === "n" ? "\n" : sign));

const toNumber = (text: string): number => Number(text.replace("Inf", "Infinity"));

function check({ name, type, samples }: Family): void {
  if ((type === "counter") !== name.endsWith("_total")) throw new Error(`${name} is a ${type}`);
  if (type === "counter" && samples.some(({ value }) => !(value >= 0))) throw new Error(`${name} is below 0`);
  if (type === "histogram") checkHistogram(name, samples);
}

function checkHistogram(name: string, samples: readonly Sample[]): void {
  const counts = samples.filter((sample) => sample.name === `${name}_count`);
  if (counts.length !== samples.filter((sample) => sample.name === `${name}_sum`).length)
    throw new Error(`${name}: sums`);
  for (const { labels, value } of counts) {
    const isSame = (sample: Sample) => Object.entries(labels).every(([label, text]) => sample.labels[label] === text);
    const buckets = samples.filter((sample) => sample.name === `${name}_bucket` && isSame(sample));
    const bounds = buckets.map((bucket) => toNumber(bucket.labels["le"] ?? ""));
    if (!bounds.every((bound, at) => at === 0 || bound > (bounds[at - 1] as number)))
      throw new Error(`${name}: bounds`);
    if (!buckets.every((bucket, at) => at === 0 || bucket.value >= (buckets[at - 1] as Sample).value))
      throw new Error(`${name}: buckets become fewer`);
    if (bounds.at(-1) !== Number.POSITIVE_INFINITY || buckets.at(-1)?.value !== value)
      throw new Error(`${name}: the last bucket is not all`);
  }
}

/** The numbers of one name, by its labels as `label=value`. */
export function valuesOf(families: ReadonlyMap<string, Family>, family: string, name = family): Record<string, number> {
  const samples = families.get(family)?.samples.filter((sample) => sample.name === name) ?? [];
  return Object.fromEntries(
    samples.map(({ labels, value }) => [
      Object.entries(labels)
        .map(([label, text]) => `${label}=${text}`)
        .join(","),
      value,
    ]),
  );
}
