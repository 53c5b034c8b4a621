import type { HttpHeaders } from "./host.js";

/** What is for the gate alone. A tool that had it could pass it on to others, for whom it was not made out. */
const WITHHELD: ReadonlySet<string> = new Set(["authorization", "proxy-authorization", "cookie"]);

/** The headers of a request as authors see them: by lower-case names, and without what says who somebody is. */
export function showHeaders(
  headers: Iterable<readonly [name: string, value: string | readonly string[] | undefined]>,
): HttpHeaders {
  const shown = Array.from(headers, ([name, value]): [string, string] => {
    if (WITHHELD.has(name)) return [name, "[redacted]"];
    return [name, typeof value === "string" ? value : (value ?? []).join(", ")];
  });
  return Object.freeze(Object.fromEntries(shown));
}
