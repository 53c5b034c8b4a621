import type { JsonObject } from "@toolwright/engine";
import { invalidParameters, templateFailed } from "../errors.js";
import { type CheckedParameters, checkParameters } from "../format/parameters.js";
import { findPathError } from "../format/project-path.js";
import { type Delimiters, type TemplateSource, uriOf } from "../format/template.js";
import type { Compiled, SafeLiquid } from "./liquid.js";
import type { Sandbox } from "./sandbox.js";

/** A rendered template. */
export interface Rendering {
  /** The path inside the project, with forward slashes. */
  readonly filename: string;
  readonly content: string;
  readonly usedDefaults: CheckedParameters["usedDefaults"];
}

/** How a template is rendered. */
export interface RenderOptions {
  /** The time of the `current_…` variables. */
  readonly now: Date;
  /** Rejects unknown parameters and the printing of unset variables; the default. */
  readonly strict?: boolean;
}

/** Renders templates. The same template, parameters and time give the same bytes. */
export class Renderer {
  readonly #liquids = new Map<Delimiters, SafeLiquid>();
  readonly #compiled = new WeakMap<TemplateSource, { readonly body: Compiled; readonly filename: Compiled }>();
  readonly #sandbox: Sandbox | undefined;

  /** Untrusted templates are rendered in the sandbox; without one, in this thread. */
  constructor(sandbox?: Sandbox) {
    this.#sandbox = sandbox;
  }

  /** Throws a `ToolError` if the parameters or the template are invalid. */
  render(template: TemplateSource, parameters: JsonObject, options: RenderOptions): Promise<Rendering> {
    if (template.isUntrusted && this.#sandbox !== undefined) return this.#sandbox.render(template, parameters, options);
    return this.#render(template, parameters, options);
  }

  /** Validates parameters. Throws a `ToolError` if that exceeds a limit. */
  async check(template: TemplateSource, parameters: JsonObject): Promise<CheckedParameters> {
    if (template.isUntrusted && this.#sandbox !== undefined) return this.#sandbox.check(template, parameters);
    return checkParameters(template, parameters);
  }

  /** Returns the errors that a template has with any parameters. */
  async findErrors(template: TemplateSource): Promise<readonly string[]> {
    try {
      const { body, filename } = await this.#compile(template);
      const liquid = await this.#liquid(template.delimiters ?? "curly");
      const used = new Set([...liquid.variablesOf(body), ...(await this.#liquid("curly")).variablesOf(filename)]);
      const known = new Set([
        ...template.parameters.map(({ name }) => name),
        ...Object.keys(timeVariables(new Date(0))),
      ]);
      return [...used].filter((name) => !known.has(name)).map((name) => `${name} is used, but is not a parameter`);
    } catch (error) {
      return [(error as Error).message];
    }
  }

  async #render(
    template: TemplateSource,
    parameters: JsonObject,
    { now, strict = true }: RenderOptions,
  ): Promise<Rendering> {
    const uri = uriOf(template);
    const checked = checkParameters(template, parameters);
    const errors = checked.errors.filter(({ field }) => strict || !checked.unknown.includes(field));
    if (errors.length > 0) throw invalidParameters(uri, errors);
    const { body, filename: compiledName } = await this.#compile(template);
    const values = Object.assign(Object.create(null) as object, checked.values, timeVariables(now));
    const filename = await this.#run(template, "curly", compiledName, { values, strict });
    const error = findPathError(filename);
    if (error !== undefined)
      throw invalidParameters(uri, [{ field: "filename", message: `becomes ${JSON.stringify(filename)}: ${error}` }]);
    const content = await this.#run(template, template.delimiters ?? "curly", body, { values, strict });
    return { filename, content, usedDefaults: checked.usedDefaults };
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
    input: { readonly values: object; readonly strict: boolean },
  ): Promise<string> {
    try {
      return (await this.#liquid(delimiters)).render(compiled, input);
    } catch (error) {
      throw toToolError(template, error);
    }
  }

  async #liquid(delimiters: Delimiters): Promise<SafeLiquid> {
    const known = this.#liquids.get(delimiters);
    if (known !== undefined) return known;
    const { SafeLiquid: Safe } = await import("./liquid.js");
    const liquid = this.#liquids.get(delimiters) ?? new Safe(delimiters);
    this.#liquids.set(delimiters, liquid);
    return liquid;
  }
}

/** The SHA-256 of a text, as results and answers files have it. */
export function checksumOf(content: string): string {
  // Loaded when needed: lists of templates do not need it.
  const { createHash } = process.getBuiltinModule("node:crypto");
  return createHash("sha256").update(content).digest("hex");
}

/** The variables with the current time. */
function timeVariables(now: Date): Readonly<Record<string, string | number>> {
  const current_timestamp = now.toISOString();
  return { current_year: now.getUTCFullYear(), current_date: current_timestamp.slice(0, 10), current_timestamp };
}

function toToolError(template: TemplateSource, error: unknown): Error {
  const uri = uriOf(template);
  const reason = firstLine(error);
  const unset = /^undefined variable: ([^,]+)/.exec(reason)?.[1];
  const parameter = template.parameters.find(({ name }) => name === unset);
  if (parameter !== undefined)
    return invalidParameters(uri, [{ field: parameter.name, message: `is required here: ${parameter.description}` }]);
  const exceedsLimit = /limit exceeded|Invalid string length|call stack/.test(reason);
  return templateFailed(
    uri,
    exceedsLimit ? `it exceeds a limit (${reason})` : reason,
    exceedsLimit ? "TOO_LARGE" : "PARSE_FAILED",
    error,
  );
}

const firstLine = (error: unknown): string => (error as Error).message.split("\n")[0] ?? "";
