/** Above which values a metric of a function is a warning or an error. */
export interface Threshold {
  readonly warning: number;
  readonly error: number;
}

/** The two metrics that have thresholds. */
export type Metric = "cyclomatic" | "cognitive";

/** The thresholds of both metrics. */
export type Thresholds = Readonly<Record<Metric, Threshold>>;

/** Both of them, in the order in which they are told. */
export const METRICS: readonly Metric[] = ["cyclomatic", "cognitive"];

/** A metric's own threshold where nobody gives one. */
const DEFAULTS: Thresholds = { cyclomatic: { warning: 10, error: 20 }, cognitive: { warning: 15, error: 30 } };

/** The thresholds that somebody gives: for errors as given, for warnings three quarters of it. */
export const thresholdsOf = (given: {
  readonly max_cyclomatic?: number | undefined;
  readonly max_cognitive?: number | undefined;
}): Thresholds => ({
  cyclomatic: thresholdOf(given.max_cyclomatic) ?? DEFAULTS.cyclomatic,
  cognitive: thresholdOf(given.max_cognitive) ?? DEFAULTS.cognitive,
});

const thresholdOf = (error: number | undefined): Threshold | undefined =>
  error === undefined ? undefined : { warning: Math.max(1, Math.floor((error * 3) / 4)), error };

/** How bad a value is. */
export type Severity = "error" | "warning";

/** How bad a value is; undefined = it is within the thresholds. A value that equals one is within it. */
export function severityOf(value: number, { warning, error }: Threshold): Severity | undefined {
  if (value > error) return "error";
  return value > warning ? "warning" : undefined;
}
