/** Elements whose text nobody reads. */
export const UNREAD = new Set("script style noscript template svg math iframe object canvas head select".split(" "));

/** Elements that lead elsewhere, and are left out where anything else is there. */
export const ELSEWHERE = new Set(["nav"]);

/** Elements that stand apart from what is around them. */
export const APART = new Set(
  (
    "p div section article main header footer aside nav blockquote figure figcaption address dl dt dd form fieldset " +
    "details summary hr body center"
  ).split(" "),
);

/** Elements that have items. */
export const LISTS = new Set(["ul", "ol", "menu", "dir"]);
/** Elements that are cells of a table. */
export const CELLS = new Set(["td", "th"]);

/** The level of a heading's element; 0 = it is none. */
export function headingLevel(name: string): number {
  const level = name.length === 2 && name.startsWith("h") ? name.charCodeAt(1) - 48 : 0;
  return level >= 1 && level <= 6 ? level : 0;
}

/** Elements whose attributes tell something about the document. */
export const TELLING = new Set(["meta", "html", "link", "a"]);
