import { nearest } from "../schema/nearest.js";

/** Refuses members that nobody knows: a misspelt option would otherwise be passed over in silence. */
export function refuseUnknown(deed: string, given: object, known: Readonly<Record<string, true>>): void {
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(known, name));
  if (unknown === undefined) return;
  const meant = nearest(unknown, Object.keys(known));
  const hint = meant === undefined ? `known are ${Object.keys(known).join(", ")}` : `did you mean ${meant}?`;
  throw new TypeError(`Cannot ${deed}: ${unknown} is unknown; ${hint}`);
}
