import type { Json } from "@toolwright/engine";
import type { TemplateParameter } from "../format/template.js";
import type { Entry } from "../library/library.js";

/** How much JSON a result has at most; the rest is for another call. */
const MOST_RESULT = 40_000;
/** The list of everything is told in short, and is one page where nobody has many templates of their own. */
const MOST_SHORT = 58_000;

/** How much is said of a template: what it is, also what it makes and of which kind its parameters are, or their JSON Schema too. */
export type Form = "short" | "full" | "detailed";

/** A template as results show it, and how many bytes that takes. */
interface Shown {
  readonly listed: ReturnType<typeof describe>;
  readonly size: number;
}

// A template does not change, and lists are long: each is described and measured once.
const shown: Readonly<Record<Form, WeakMap<Entry, Shown>>> = {
  short: new WeakMap(),
  full: new WeakMap(),
  detailed: new WeakMap(),
};

/** A template as results show it. */
export const toListed = (entry: Entry, form: Form) => show(entry, form).listed;

/** As many templates as a result has room for, but one at least. */
export function listFitting(entries: readonly Entry[], form: Form) {
  const room = form === "short" ? MOST_SHORT : MOST_RESULT;
  let used = 0;
  const at = entries.findIndex((entry) => {
    used += show(entry, form).size;
    return used > room;
  });
  const fit = at === -1 ? entries : entries.slice(0, Math.max(1, at));
  return fit.map((entry) => toListed(entry, form));
}

function show(entry: Entry, form: Form): Shown {
  const known = shown[form].get(entry);
  if (known !== undefined) return known;
  const listed = describe(entry, form);
  const made = { listed, size: Buffer.byteLength(JSON.stringify(listed)) + 1 };
  shown[form].set(entry, made);
  return made;
}

function describe(entry: Entry, form: Form) {
  const { uri, name, description, category, toolchain, variant, origin, source, schema } = entry;
  return {
    uri,
    name,
    description,
    category,
    toolchain,
    variant,
    ...(form !== "short" && { filename: source.filename, origin }),
    parameters: source.parameters.map((parameter) => describeParameter(parameter, form)),
    ...(form === "detailed" && { schema }),
  };
}

function describeParameter({ name, type, required = false, default: usual }: TemplateParameter, form: Form) {
  if (form === "short") return { name, ...(required && { required }) };
  const kind = type === "enum" ? "string" : type;
  return { name, type: kind, required, ...(usual !== undefined && { default: usual as Json }) };
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
