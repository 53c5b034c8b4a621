import type { Increment } from "../metrics/measures.js";
import type { FoundViolation, MeasuredFunction, Violation } from "./report.js";

/** The values above which a metric is a warning or an error. */
export interface Threshold {
  readonly warning: number;
  readonly error: number;
}

/** The metrics that have thresholds. */
export type Metric = "cyclomatic" | "cognitive";

/** The thresholds of both metrics. */
export type Thresholds = Readonly<Record<Metric, Threshold>>;

/** Both metrics, in the order in which they are reported. */
export const METRICS: readonly Metric[] = ["cyclomatic", "cognitive"];

const DEFAULTS: Thresholds = { cyclomatic: { warning: 10, error: 20 }, cognitive: { warning: 15, error: 30 } };

/** The thresholds for given maxima: errors above the maximum, warnings above three quarters of it. */
export const thresholdsOf = (options: {
  readonly max_cyclomatic?: number | undefined;
  readonly max_cognitive?: number | undefined;
}): Thresholds => ({
  cyclomatic: thresholdOf(options.max_cyclomatic) ?? DEFAULTS.cyclomatic,
  cognitive: thresholdOf(options.max_cognitive) ?? DEFAULTS.cognitive,
});

const thresholdOf = (error: number | undefined): Threshold | undefined =>
  error === undefined ? undefined : { warning: Math.max(1, Math.floor((error * 3) / 4)), error };

/** The severity of a violation. */
export type Severity = "error" | "warning";

/** The severity of a value; undefined = it does not exceed the thresholds. */
export function severityOf(value: number, { warning, error }: Threshold): Severity | undefined {
  if (value > error) return "error";
  return value > warning ? "warning" : undefined;
}

/** How many increments of one function are listed. */
const MAX_INCREMENTS = 100;

/** The functions above a threshold, worst first. */
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
  // The sort is stable: equally bad functions keep their order.
  return found.toSorted((a, b) => badness(b.violation) - badness(a.violation));
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
    ...(explain && explanation(measures.increments, metric)),
  };
}

function explanation(all: readonly Increment[], metric: Metric): Pick<Violation, "increments" | "increments_left"> {
  const own = all.filter((increment) => increment.metric === metric);
  const left = own.length - MAX_INCREMENTS;
  return {
    increments: own.slice(0, MAX_INCREMENTS).map(({ metric: _metric, ...increment }) => increment),
    ...(left > 0 && { increments_left: left }),
  };
}
