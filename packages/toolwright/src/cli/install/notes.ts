import { createPaint, outliveReaders, type Paint, visible, wantsColour } from "@toolwright/kit/terminal";

/** Colours for the results. */
export const paintOut = (): Paint => createPaint(wantsColour(process.stdout, process.env));

/** Says that something may go wrong later. */
export const warn = (text: string): void => note("yellow", "!", text);

/** Says that something could not be done. */
export const complain = (text: string): void => note("red", "✗", text);

/** Beside the results, on stderr. */
function note(colour: "yellow" | "red", sign: string, text: string): void {
  outliveReaders();
  const paint = createPaint(wantsColour(process.stderr, process.env));
  process.stderr.write(`${paint[colour](sign)} ${visible(text)}\n`);
}
