import { createPaint, type Paint, wantsColour } from "./paint.js";

/** How things are shown. */
export interface Screen {
  readonly paint: Paint;
  /** How wide the screen is; infinite where there is none. */
  readonly width: number;
}

/** The screen that stdout leads to. */
export const openScreen = (): Screen => ({
  paint: createPaint(wantsColour(process.stdout, process.env)),
  width: (process.stdout.isTTY && process.stdout.columns) || Number.POSITIVE_INFINITY,
});
