import { INVISIBLE } from "@toolwright/kit/text";

/** Text from elsewhere in a page of Markdown: nothing in it marks anything up, breaks its line, or ends a cell of a table. */
export const markdownCell = (value: string): string =>
  value.replaceAll(INVISIBLE, "\u{FFFD}").replaceAll(/[\\`*_{}[\]<>|#~&!]/g, "\\$&");
