import { type JsonObject, ToolError } from "@toolwright/engine";
import { builtFile } from "@toolwright/kit/files";
import { type JobLimits, JobThread } from "@toolwright/kit/threads";
import { templateFailed } from "../errors.js";
import type { CheckedParameters } from "../format/parameters.js";
import type { ReadTemplate } from "../format/read-template.js";
import { type TemplateSource, uriOf } from "../format/template.js";
import type { Rendering, RenderOptions } from "./renderer.js";
import type { SandboxJob } from "./worker.js";

const FILE = builtFile("templates-worker.js");

/** Parses and renders untrusted templates in a thread with limits of time and memory. */
export class Sandbox {
  readonly #thread: JobThread<SandboxJob>;

  constructor(limits?: JobLimits) {
    this.#thread = new JobThread(FILE, limits);
  }

  /** Reads and validates the template in a folder of a directory. Limits that it exceeds are errors of the template. */
  async read(directory: string, names: readonly string[]): Promise<ReadTemplate> {
    try {
      return (await this.#thread.run({ kind: "read", directory, names })) as ReadTemplate;
    } catch (error) {
      return { errors: [(error as Error).message] };
    }
  }

  /** Renders a template. Throws a `ToolError`. */
  async render(template: TemplateSource, parameters: JsonObject, options: RenderOptions): Promise<Rendering> {
    return (await this.#runFor(template, { kind: "render", template, parameters, options })) as Rendering;
  }

  /** Validates parameters. Throws a `ToolError`. */
  async check(template: TemplateSource, parameters: JsonObject): Promise<CheckedParameters> {
    return (await this.#runFor(template, { kind: "check", template, parameters })) as CheckedParameters;
  }

  close(): Promise<void> {
    return this.#thread.close();
  }

  async #runFor(template: TemplateSource, job: SandboxJob): Promise<unknown> {
    try {
      return await this.#thread.run(job);
    } catch (error) {
      if (error instanceof ToolError) throw error;
      throw templateFailed(uriOf(template), (error as Error).message, "TOO_LARGE", error);
    }
  }
}
