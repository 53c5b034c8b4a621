import { Context, type Emitter, type FilterImplOptions, Liquid, type Template, toValueSync } from "liquidjs";
import { type Delimiters, MAX_BODY_BYTES } from "../format/template.js";
import { ESCAPES, NAME_CASES, type Value } from "./filters.js";

/** The cost limit of a rendering: one unit for each character that is printed or copied, and `STEP` for each node of the template. */
const MAX_UNITS = 1024 * 1024;
const STEP = 8;
/** A second limit. The first one is a count, so that it does not depend on the load of the machine. */
const MAX_MS = 5000;

/** Tags and filters that read no file, no clock and no random number. */
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

const SYNTAX: Readonly<Record<Delimiters, readonly [string, string, string, string]>> = {
  curly: ["{{", "}}", "{%", "%}"],
  angle: ["<{", "}>", "<%", "%>"],
};

/** A parsed body. */
export type Compiled = readonly Template[];

/** The input of a rendering. */
export interface LiquidInput {
  readonly values: object;
  /** Printing an unset variable is an error. */
  readonly strict: boolean;
}

/** Liquid with nothing that reaches outside the template, and with limits on what a rendering costs. */
export class SafeLiquid {
  readonly #liquid: Liquid;

  constructor(delimiters: Delimiters) {
    const [outputDelimiterLeft, outputDelimiterRight, tagDelimiterLeft, tagDelimiterRight] = SYNTAX[delimiters];
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
      memoryLimit: MAX_UNITS,
      renderLimit: MAX_MS,
    });
    const { tags, filters } = this.#liquid;
    for (const name of Object.keys(tags)) if (!TAGS.has(name)) delete tags[name];
    for (const name of Object.keys(filters)) if (!FILTERS.has(name)) delete filters[name];
    this.#addFilters();
    this.#countSteps();
  }

  /** Parses a body. Throws the error of Liquid. */
  compile(body: string): Compiled {
    return this.#liquid.parse(body);
  }

  /** The names of the variables that a body uses and does not assign. */
  variablesOf(compiled: Compiled): readonly string[] {
    return this.#liquid.globalVariablesSync([...compiled]);
  }

  /** Renders a body. Throws the error of Liquid. */
  render(compiled: Compiled, { values, strict }: LiquidInput): string {
    const { options, renderer } = this.#liquid;
    const context = new Context(values, options, { sync: true, strictVariables: strict }, { liquid: this.#liquid });
    return String(toValueSync(renderer.renderTemplates([...compiled], context, new CountingEmitter(context))));
  }

  #addFilters(): void {
    for (const [name, change] of Object.entries(NAME_CASES)) {
      const filter = counted((value) => change(toText(value)));
      this.#liquid.registerFilter(name, filter);
      this.#liquid.registerFilter(`${name}_case`, filter);
    }
    for (const [name, escape] of Object.entries(ESCAPES)) this.#liquid.registerFilter(name, counted(escape));
  }

  /** Liquid counts the output of filters, but neither loops nor what is printed. */
  #countSteps(): void {
    const { renderer } = this.#liquid;
    const render = renderer.renderTemplates.bind(renderer);
    renderer.renderTemplates = (templates, context, emitter) => {
      context.memoryLimit.use(STEP * (templates.length + 1));
      return render(templates, context, emitter ?? new CountingEmitter(context));
    };
  }
}

/** Counts the output of a filter, as Liquid does for its own: a chain of filters that lengthen a text would multiply it. */
function counted(change: (value: Value) => string): FilterImplOptions {
  return function filter(this: { readonly context: Context }, value: Value): string {
    const text = change(value);
    this.context.memoryLimit.use(text.length);
    return text;
  };
}

class CountingEmitter implements Emitter {
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

/** A template has only texts, numbers, booleans and lists; anything else prints nothing. */
function toText(piece: unknown): string {
  if (Array.isArray(piece)) return piece.map(toText).join("");
  return typeof piece === "string" || typeof piece === "number" || typeof piece === "boolean" ? String(piece) : "";
}
