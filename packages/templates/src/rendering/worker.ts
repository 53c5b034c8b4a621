import type { JsonObject } from "@toolwright/engine";
import { serveJobs } from "@toolwright/kit/threads";
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

const renderer = new Renderer();

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

serveJobs(run);
