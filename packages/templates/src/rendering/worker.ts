import { parentPort } from "node:worker_threads";
import { type JsonObject, ToolError } from "@toolwright/engine";
import { checkParameters } from "../format/parameters.js";
import type { TemplateSource } from "../format/template.js";
import { readTemplateFolder } from "../library/read-templates.js";
import { Renderer, type RenderOptions } from "./renderer.js";

/** A job of the sandbox. */
export type SandboxJob =
  | { readonly kind: "read"; readonly directory: string; readonly names: readonly string[] }
  | {
      readonly kind: "render";
      readonly template: TemplateSource;
      readonly parameters: JsonObject;
      readonly options: RenderOptions;
    }
  | { readonly kind: "check"; readonly template: TemplateSource; readonly parameters: JsonObject };

/** The answer to a job: its result, or the error as plain values. */
export type SandboxAnswer =
  | { readonly result: unknown }
  | { readonly error: { readonly message: string; readonly code?: string | undefined; readonly details?: JsonObject } };

const renderer = new Renderer();

parentPort?.on("message", (job: SandboxJob) => {
  void answer(job).then((message) => parentPort?.postMessage(message, []));
});

async function answer(job: SandboxJob): Promise<SandboxAnswer> {
  try {
    return { result: await run(job) };
  } catch (error) {
    const { message } = error as Error;
    return { error: error instanceof ToolError ? { message, code: error.code, details: error.details } : { message } };
  }
}

function run(job: SandboxJob): unknown {
  switch (job.kind) {
    case "read":
      return readTemplateFolder(job.directory, job.names, { renderer, isUntrusted: true });
    case "render":
      return renderer.render(job.template, job.parameters, job.options);
    default:
      return checkParameters(job.template, job.parameters);
  }
}
