import type { Churn } from "../churn/churn.js";
import type { Hotspots } from "../hotspots/hotspots.js";
import type { Trend } from "./trend.js";

/** All that the page shows. */
export interface Report {
  /** The name of the project. */
  readonly project: string;
  /** When it was made; the same report at the same time is the same page. */
  readonly made: Date;
  readonly hotspots: Hotspots;
  /** Absent where there is no history. */
  readonly churn?: Pick<Churn, "commits" | "authors" | "weeks" | "coupling"> | undefined;
  /** Absent where past states cannot be read. */
  readonly trend?: Trend | undefined;
}
