/** A place in a template: "name.part.*.part". */
const PLACE = /\{\{\s*([A-Za-z0-9_.*-]{1,200})\s*\}\}/g;
const WHOLE = /^\{\{\s*([A-Za-z0-9_.*-]{1,200})\s*\}\}$/;
const DEEPEST = 8;

/** The first names of all places in a value: parameters and steps. */
export function namesIn(value: unknown, depth = 0): readonly string[] {
  if (typeof value === "string") return [...value.matchAll(PLACE)].map(([, path = ""]) => path.split(".")[0] ?? "");
  if (typeof value !== "object" || value === null || depth > DEEPEST) return [];
  return Object.values(value).flatMap((each) => namesIn(each, depth + 1));
}

/** Puts values in the places of a template: a text that is nothing but a place becomes the value itself. */
export function fill(value: unknown, known: Readonly<Record<string, unknown>>, depth = 0): unknown {
  if (typeof value === "string") {
    const [, whole] = WHOLE.exec(value) ?? [];
    if (whole !== undefined) return look(known, whole.split("."));
    return value.replaceAll(PLACE, (_, path: string) => toText(look(known, path.split("."))));
  }
  if (typeof value !== "object" || value === null || depth > DEEPEST) return value;
  if (Array.isArray(value)) return value.map((each) => fill(each, known, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, fill(each, known, depth + 1)]));
}

/** Follows a path; "*" means each of a list, and so does a name that a list does not have. */
export function look(value: unknown, [name, ...rest]: readonly string[]): unknown {
  if (name === undefined) return value;
  if (name === "*") return Array.isArray(value) ? value.map((each) => look(each, rest)) : [];
  if (typeof value !== "object" || value === null) return undefined;
  if (!Object.hasOwn(value, name))
    return Array.isArray(value) ? value.map((each) => look(each, [name, ...rest])) : undefined;
  return look((value as Readonly<Record<string, unknown>>)[name], rest);
}

const toText = (value: unknown): string =>
  value === undefined || value === null ? "" : typeof value === "string" ? value : JSON.stringify(value);
