/** A part of the page. */
export interface Section {
  readonly id: string;
  readonly name: string;
  readonly html: string;
}

/** The parts of a path for reading: what counts is its end, and long ones may break at a slash. */
export const wrapPath = (escaped: string): string => escaped.replaceAll("/", "/<wbr>");
