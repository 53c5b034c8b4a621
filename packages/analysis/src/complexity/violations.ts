import type { Increment } from "../metrics/measures.js";
import type { FoundViolation, MeasuredFunction, Violation } from "./report.js";

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

/** How many increments of one function are told; those of more are in the code. */
const MOST_INCREMENTS = 100;

/** The functions that are above a threshold, the worst first. */
export function findViolations(
  functions: readonly MeasuredFunction[],
  thresholds: Thresholds,
  { explain }: { readonly explain: boolean },
): readonly FoundViolation[] {
  const found = functions.flatMap((of) =>
    METRICS.flatMap((metric) => {
      const violation = violationOf(of, metric, thresholds, explain);
      return violation === undefined ? [] : [{ violation, of }];
    }),
  );
  // The order of functions stays among those that are equally bad.
  return found.toSorted((one, other) => badness(other.violation) - badness(one.violation));
}

const badness = ({ severity, value, threshold }: Violation): number =>
  (severity === "error" ? 1e9 : 0) + value / threshold;

function violationOf(
  { file, measures }: MeasuredFunction,
  metric: Metric,
  thresholds: Thresholds,
  explain: boolean,
): Violation | undefined {
  const value = measures[metric];
  const severity = severityOf(value, thresholds[metric]);
  if (severity === undefined) return undefined;
  const threshold = thresholds[metric][severity];
  return {
    severity,
    rule: `${metric}-complexity`,
    message: `${measures.name} has a ${metric} complexity of ${value}, above ${threshold}.`,
    value,
    threshold,
    file,
    line: measures.line,
    end_line: measures.end_line,
    function: measures.name,
    ...(explain && explained(measures.increments, metric)),
  };
}

function explained(all: readonly Increment[], metric: Metric): Pick<Violation, "increments" | "increments_left"> {
  const own = all.filter((increment) => increment.metric === metric);
  const left = own.length - MOST_INCREMENTS;
  return {
    increments: own.slice(0, MOST_INCREMENTS).map(({ metric: _metric, ...increment }) => increment),
    ...(left > 0 && { increments_left: left }),
  };
}
