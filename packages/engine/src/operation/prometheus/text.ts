/** The two text forms that Prometheus reads. */
export type TextForm = "prometheus" | "openmetrics";

/** The kinds of metrics that are used here. */
type MetricType = "counter" | "gauge" | "histogram" | "info";

/** One number, under the family's name and an ending to it. */
export interface Sample {
  readonly suffix?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number;
}

/** All that is told under one name. */
export interface Family {
  /** Without the ending that its type brings: `_total` of a counter, `_info` of an info. */
  readonly name: string;
  readonly help: string;
  readonly type: MetricType;
  readonly samples: readonly Sample[];
}

const SUFFIXES: Readonly<Record<MetricType, string>> = { counter: "_total", gauge: "", histogram: "", info: "_info" };

/** Writes families as text, in version 0.0.4 of Prometheus' own form or in version 1.0.0 of OpenMetrics. */
export function writeFamilies(families: readonly Family[], form: TextForm): string {
  const end = form === "openmetrics" ? "# EOF\n" : "";
  return `${families.map((family) => writeFamily(family, form)).join("")}${end}`;
}

function writeFamily({ name, help, type, samples }: Family, form: TextForm): string {
  const isOpen = form === "openmetrics";
  // The older form knows no info, and calls a counter by its whole name.
  const named = isOpen ? name : `${name}${SUFFIXES[type]}`;
  const typed = type === "info" && !isOpen ? "gauge" : type;
  const lines = samples.map(
    ({ suffix = SUFFIXES[type], labels = {}, value }) =>
      `${name}${suffix}${writeLabels(labels)} ${writeNumber(value)}\n`,
  );
  return `# HELP ${named} ${isOpen ? escaped(help) : escapedHelp(help)}\n# TYPE ${named} ${typed}\n${lines.join("")}`;
}

function writeLabels(labels: Readonly<Record<string, string>>): string {
  const written = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`);
  return written.length === 0 ? "" : `{${written.join(",")}}`;
}

const escapedHelp = (text: string): string => text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n");

const escaped = (text: string): string => escapedHelp(text).replaceAll('"', '\\"');

/** A number as both forms read it. */
export function writeNumber(value: number): string {
  if (Number.isFinite(value)) return String(value);
  return Number.isNaN(value) ? "NaN" : value > 0 ? "+Inf" : "-Inf";
}

/** The upper bound of a bucket; always with a point, so that both forms name the same series. */
export const writeBound = (value: number): string => (Number.isInteger(value) ? `${value}.0` : writeNumber(value));
