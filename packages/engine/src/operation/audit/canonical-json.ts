import { createHash } from "node:crypto";
import type { Json } from "../../jsonrpc/json.js";

/** The one text of a JSON value, whatever the order of its members was: as RFC 8785 has it. */
export function canonicalJson(value: Json): string {
  if (Array.isArray(value)) return `[${value.map((element: Json) => canonicalJson(element)).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`).join(",")}}`;
}

/** A digest by which equal values are recognised, and from which nothing long can be read. */
export function digestOf(value: Json): string {
  return `sha256:${createHash("sha256").update(canonicalJson(value)).digest("hex")}`;
}
