import type { Entry } from "./library/library.js";

/** How much JSON a result has at most; the rest is for another call. */
const MOST_RESULT = 40_000;

/** A template as results show it, and how much room that takes. */
interface Shown {
  readonly listed: ReturnType<typeof describe>;
  readonly length: number;
}

// A template does not change, and lists are long: each is described and measured once.
const shown = new WeakMap<Entry, Shown>();

/** A template as results show it; `details` adds the JSON Schema of its parameters. */
export function toListed(entry: Entry, details: boolean) {
  const { listed } = show(entry);
  return details ? { ...listed, parameters: entry.schema } : listed;
}

/** As many templates as a result has room for, but one at least. */
export function listFitting(entries: readonly Entry[], details: boolean) {
  let used = 0;
  const at = entries.findIndex((entry) => {
    used += show(entry).length + (details ? JSON.stringify(entry.schema).length : 0);
    return used > MOST_RESULT;
  });
  const fit = at === -1 ? entries : entries.slice(0, Math.max(1, at));
  return fit.map((entry) => toListed(entry, details));
}

function show(entry: Entry): Shown {
  const known = shown.get(entry);
  if (known !== undefined) return known;
  const listed = describe(entry);
  const made = { listed, length: JSON.stringify(listed).length };
  shown.set(entry, made);
  return made;
}

function describe({ uri, name, description, category, toolchain, variant, origin, source }: Entry) {
  const names = (wanted: boolean): string[] =>
    source.parameters.filter(({ required = false }) => required === wanted).map((parameter) => parameter.name);
  return {
    uri,
    name,
    description,
    category,
    toolchain,
    variant,
    filename: source.filename,
    origin,
    required: names(true),
    optional: names(false),
  };
}

/** As many of the values as a result has room for, but one at least. */
export function fitting<Value>(values: readonly Value[], room = MOST_RESULT): readonly Value[] {
  let used = 0;
  const at = values.findIndex((value) => {
    used += JSON.stringify(value).length;
    return used > room;
  });
  return at === -1 ? values : values.slice(0, Math.max(1, at));
}
