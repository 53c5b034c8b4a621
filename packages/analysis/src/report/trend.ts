/** How complex the files that are the hottest today were at points of the past. */
export interface Trend {
  /** Oldest first, as YYYY-MM-DD, with the minute where days are not apart. */
  readonly dates: readonly string[];
  readonly files: readonly FileTrend[];
}

/** One file over time. */
interface FileTrend {
  readonly path: string;
  /** The cognitive complexity at each date; undefined = it was not there, or could not be read. */
  readonly values: readonly (number | undefined)[];
}

/** The sum over all files at each date. */
export const together = ({ dates, files }: Trend): number[] =>
  dates.map((_, at) => files.reduce((sum, { values }) => sum + (values[at] ?? 0), 0));

/** Moments that divide a span evenly: its ends, and others between them. */
export function momentsOf(from: Date, to: Date, count: number): Date[] {
  const [start, end] = [from.getTime(), to.getTime()];
  if (end <= start) return [to];
  return Array.from({ length: count }, (_, at) => new Date(start + Math.round(((end - start) * at) / (count - 1))));
}

/** The day of a moment, as YYYY-MM-DD. */
export const dayOf = (moment: Date): string => moment.toISOString().slice(0, 10);

/** Moments as they are shown: by their days, or where those are not apart, with the minute (UTC). */
export function namesOf(moments: readonly Date[]): string[] {
  const days = moments.map(dayOf);
  if (new Set(days).size === days.length) return days;
  return moments.map((moment) => moment.toISOString().slice(0, 16).replace("T", " "));
}
