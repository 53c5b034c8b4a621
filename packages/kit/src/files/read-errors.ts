import { ToolError } from "@toolwright/engine";

/** A page was asked for where the file has already ended. */
export const pastTheEnd = (given: string, from: number, most: number, unit = "line"): ToolError =>
  new ToolError(
    `Cannot read ${JSON.stringify(given)} from ${unit} ${from}: it has ${most === 1 ? `1 ${unit}` : `${most} ${unit}s`}.`,
    { code: "INVALID_ARGUMENT", details: { path: given, expected: `at most ${most}`, got: from } },
  );

/** A file is larger than what may be taken at once. */
export const tooLarge = (given: string, size: number, most: number, advice: string): ToolError =>
  new ToolError(`Cannot read ${JSON.stringify(given)} at once: it has ${size} bytes, at most ${most} are. ${advice}`, {
    code: "TOO_LARGE",
    details: { path: given, expected: `at most ${most} bytes`, got: size },
  });
