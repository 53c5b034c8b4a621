import path from "node:path";

/** Whether a place has a URI that is safe: some names have signs that no URI may hold. */
export const hasUri = (place: string): boolean => !/\p{Cc}|\\/u.test(place) || path.sep === "\\";

/** The `file://` URI of a place, with all escaped that a URI does not have as it is. */
export function toFileUri(place: string): string {
  const names = place.split(path.sep).join("/").replace(/^\//, "").split("/");
  // A name of Windows may have half a character, which no URI can.
  const escaped = names.map((name) => encodeURIComponent(Buffer.from(name, "utf8").toString("utf8")));
  return `file:///${escaped.join("/").replace(/^([A-Za-z])%3A/, "$1:")}`;
}
