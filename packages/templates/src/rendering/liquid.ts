import { Context, type Emitter, type FilterImplOptions, Liquid, type Template, toValueSync } from "liquidjs";
import type { Delimiters } from "../format/template.js";
import { MAX_BODY_BYTES } from "./limits.js";
import { literal, make, markdown, oneLine, quote, shell, type Value, xml } from "./literals.js";
import { NAME_CASES } from "./name-cases.js";

/** What a rendering may use up: a unit a character that is printed or copied, and `STEP` a piece of the template. */
const MOST_UNITS = 1024 * 1024;
const STEP = 8;
/** A second net; what stops bad templates is counted, so that it does not depend on how busy the machine is. */
const MOST_MS = 5000;

/** What printing, loops and conditions need; nothing that reads a file, the clock or chance. */
const TAGS = new Set("assign for capture case comment cycle if raw unless break continue echo #".split(" "));
const FILTERS = new Set(
  [
    "abs at_least at_most ceil divided_by floor minus plus modulo times round",
    "join last first reverse sort sort_natural size map compact concat slice where uniq",
    "append prepend lstrip rstrip strip downcase upcase capitalize remove remove_first remove_last",
    "replace replace_first replace_last split strip_newlines squish truncate truncatewords default",
    "url_encode escape",
  ].flatMap((line) => line.split(" ")),
);

const OWN_FILTERS = {
  quote,
  json: literal,
  toml: literal,
  yaml: literal,
  xml,
  shell,
  make,
  markdown,
  one_line: oneLine,
};

const SIGNS: Readonly<Record<Delimiters, readonly [string, string, string, string]>> = {
  curly: ["{{", "}}", "{%", "%}"],
  angle: ["<{", "}>", "<%", "%>"],
};

/** A body that was read. */
export type Compiled = readonly Template[];

/** What a rendering is told. */
export interface RenderWith {
  readonly values: object;
  /** Whether printing what is unset is a fault. */
  readonly strict: boolean;
}

/** Liquid without anything that reaches out of a template, and with a count of what a rendering uses up. */
export class SafeLiquid {
  readonly #liquid: Liquid;

  constructor(delimiters: Delimiters) {
    const [outputDelimiterLeft, outputDelimiterRight, tagDelimiterLeft, tagDelimiterRight] = SIGNS[delimiters];
    this.#liquid = new Liquid({
      outputDelimiterLeft,
      outputDelimiterRight,
      tagDelimiterLeft,
      tagDelimiterRight,
      strictFilters: true,
      strictVariables: true,
      lenientIf: true,
      ownPropertyOnly: true,
      templates: {},
      locale: "en-US",
      timezoneOffset: 0,
      parseLimit: MAX_BODY_BYTES,
      memoryLimit: MOST_UNITS,
      renderLimit: MOST_MS,
    });
    const { tags, filters } = this.#liquid;
    for (const name of Object.keys(tags)) if (!TAGS.has(name)) delete tags[name];
    for (const name of Object.keys(filters)) if (!FILTERS.has(name)) delete filters[name];
    this.#addFilters();
    this.#countSteps();
  }

  /** Reads a body. Throws the fault of Liquid. */
  compile(body: string): Compiled {
    return this.#liquid.parse(body);
  }

  /** The names of the variables that a body uses and does not set itself. */
  variablesOf(compiled: Compiled): readonly string[] {
    return this.#liquid.globalVariablesSync([...compiled]);
  }

  /** Renders a body. Throws the fault of Liquid. */
  render(compiled: Compiled, { values, strict }: RenderWith): string {
    const context = new Context(
      values,
      this.#liquid.options,
      { sync: true, strictVariables: strict },
      { liquid: this.#liquid },
    );
    const rendering = this.#liquid.renderer.renderTemplates([...compiled], context, new CountedEmitter(context));
    return String(toValueSync(rendering));
  }

  #addFilters(): void {
    for (const [name, change] of Object.entries(NAME_CASES)) {
      const filter = counted((value) => change(toText(value)));
      this.#liquid.registerFilter(name, filter);
      this.#liquid.registerFilter(`${name}_case`, filter);
    }
    for (const [name, change] of Object.entries(OWN_FILTERS)) this.#liquid.registerFilter(name, counted(change));
  }

  /** Liquid counts what filters make, but neither loops nor what is printed. */
  #countSteps(): void {
    const { renderer } = this.#liquid;
    const plain = renderer.renderTemplates.bind(renderer);
    renderer.renderTemplates = (templates, context, emitter) => {
      context.memoryLimit.use(STEP * (templates.length + 1));
      return plain(templates, context, emitter ?? new CountedEmitter(context));
    };
  }
}

/** Counts what a filter makes, as Liquid does for its own: some make a text longer, and a chain of them would multiply it. */
function counted(change: (value: Value) => string): FilterImplOptions {
  return function filter(this: { readonly context: Context }, value: Value): string {
    const made = change(value);
    this.context.memoryLimit.use(made.length);
    return made;
  };
}

class CountedEmitter implements Emitter {
  buffer = "";
  readonly #context: Context;

  constructor(context: Context) {
    this.#context = context;
  }

  write(piece: unknown): void {
    const text = toText(piece);
    this.#context.memoryLimit.use(text.length);
    this.buffer += text;
  }
}

/** Texts, numbers, truths and lists are all that a template can come by; anything else prints nothing. */
function toText(piece: unknown): string {
  if (Array.isArray(piece)) return piece.map(toText).join("");
  return typeof piece === "string" || typeof piece === "number" || typeof piece === "boolean" ? String(piece) : "";
}
