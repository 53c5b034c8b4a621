import type { JsonObject } from "@toolwright/engine";
import { templateFailed, wrongParameters } from "../errors.js";
import { type CheckedParameters, checkParameters } from "../format/parameters.js";
import { projectPathFault } from "../format/project-path.js";
import type { Delimiters, TemplateSource } from "../format/template.js";
import { uriOf } from "../format/template-uri.js";
import type { Compiled, SafeLiquid } from "./liquid.js";

/** A file that a template has made. */
export interface Rendering {
  /** The path inside the project, with forward slashes. */
  readonly filename: string;
  readonly content: string;
  readonly checked: CheckedParameters;
}

/** How a template is rendered. */
export interface RenderOptions {
  /** The moment that the template is told of. */
  readonly now: Date;
  /** Refuses unknown parameters and the printing of what is unset; the default. */
  readonly strict?: boolean;
}

/** The folder of a project that was given no name. */
export const UNNAMED = "project";

/** Fills in templates: the same template, parameters and moment give the same bytes. */
export class Renderer {
  readonly #liquids = new Map<Delimiters, SafeLiquid>();
  #compiled = new WeakMap<TemplateSource, { readonly body: Compiled; readonly filename: Compiled }>();

  /** Throws a `ToolError` that says whether the parameters or the template are at fault. */
  async render(template: TemplateSource, given: JsonObject, { now, strict = true }: RenderOptions): Promise<Rendering> {
    const uri = uriOf(template);
    const checked = checkParameters(template.parameters, given);
    const faults = checked.faults.filter(({ field }) => strict || !checked.unknown.includes(field));
    if (faults.length > 0) throw wrongParameters(uri, faults);
    const { body, filename } = await this.#compile(template);
    const values = Object.assign(Object.create(null) as object, checked.values, clockWords(now));
    const name = await this.#run(template, "curly", filename, { values, strict });
    const fault = projectPathFault(name);
    if (fault !== undefined)
      throw wrongParameters(uri, [{ field: "filename", message: `becomes ${JSON.stringify(name)}: ${fault}` }]);
    const content = await this.#run(template, template.delimiters ?? "curly", body, { values, strict });
    return { filename: name, content, checked };
  }

  /** What is wrong with the bodies of a template, whatever it is given. */
  async faultsOf(template: TemplateSource): Promise<readonly string[]> {
    try {
      const { body, filename } = await this.#compile(template);
      const liquid = await this.#liquid(template.delimiters ?? "curly");
      const used = new Set([...liquid.variablesOf(body), ...(await this.#liquid("curly")).variablesOf(filename)]);
      const known = new Set([...template.parameters.map(({ name }) => name), ...Object.keys(clockWords(new Date(0)))]);
      return [...used].filter((name) => !known.has(name)).map((name) => `${name} is used, but is no parameter`);
    } catch (error) {
      return [(error as Error).message];
    }
  }

  async #compile(template: TemplateSource): Promise<{ readonly body: Compiled; readonly filename: Compiled }> {
    const known = this.#compiled.get(template);
    if (known !== undefined) return known;
    const [liquid, curly] = [await this.#liquid(template.delimiters ?? "curly"), await this.#liquid("curly")];
    try {
      const compiled = { body: liquid.compile(template.body), filename: curly.compile(template.filename) };
      this.#compiled.set(template, compiled);
      return compiled;
    } catch (error) {
      throw templateFailed(uriOf(template), firstLine(error), "PARSE_FAILED", error);
    }
  }

  async #run(
    template: TemplateSource,
    delimiters: Delimiters,
    compiled: Compiled,
    how: { readonly values: object; readonly strict: boolean },
  ): Promise<string> {
    try {
      return (await this.#liquid(delimiters)).render(compiled, how);
    } catch (error) {
      throw toFault(template, error);
    }
  }

  async #liquid(delimiters: Delimiters): Promise<SafeLiquid> {
    const known = this.#liquids.get(delimiters);
    if (known !== undefined) return known;
    const { SafeLiquid: Safe } = await import("./liquid.js");
    const made = this.#liquids.get(delimiters) ?? new Safe(delimiters);
    this.#liquids.set(delimiters, made);
    return made;
  }
}

/** The checksum of a text, as results and answers have it. */
export function checksumOf(content: string): string {
  // Whoever only lists templates should not wait for it to load.
  const { createHash } = process.getBuiltinModule("node:crypto");
  return createHash("sha256").update(content).digest("hex");
}

/** What the source's templates could ask of the clock. */
function clockWords(now: Date): Readonly<Record<string, string | number>> {
  const current_timestamp = now.toISOString();
  return { current_year: now.getUTCFullYear(), current_date: current_timestamp.slice(0, 10), current_timestamp };
}

function toFault(template: TemplateSource, error: unknown): Error {
  const uri = uriOf(template);
  const reason = firstLine(error);
  const unset = /^undefined variable: ([^,]+)/.exec(reason)?.[1];
  const parameter = template.parameters.find(({ name }) => name === unset);
  if (parameter !== undefined)
    return wrongParameters(uri, [{ field: parameter.name, message: `is needed here: ${parameter.description}` }]);
  const isTooMuch = /limit exceeded|Invalid string length|call stack/.test(reason);
  return templateFailed(
    uri,
    isTooMuch ? `it makes too much (${reason})` : reason,
    isTooMuch ? "TOO_LARGE" : "PARSE_FAILED",
    error,
  );
}

const firstLine = (error: unknown): string => (error as Error).message.split("\n")[0] ?? "";
