import { createPaint, type Paint, wantsColour } from "@toolwright/kit/terminal";

/** How what is printed is made to look. */
export interface Look {
  readonly paint: Paint;
  /** Infinite where stdout is no terminal: nothing is cut for programs. */
  readonly width: number;
}

/** What stdout can show. */
export const lookOf = (stdout: NodeJS.WriteStream, env: NodeJS.ProcessEnv): Look => ({
  paint: createPaint(wantsColour(stdout, env)),
  width: (stdout.isTTY && stdout.columns) || Number.POSITIVE_INFINITY,
});
