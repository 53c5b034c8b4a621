import { type JsonObject, tool } from "@toolwright/engine";
import { READS, REPLACES } from "../annotations.js";
import type { Workshop } from "../context.js";
import { ERRORS, TEXTS } from "./output-schemas.js";

/** Makes the files of a project. */
export const scaffoldProject = (workshop: Workshop) =>
  tool({
    name: "scaffold_project",
    title: "Scaffold a project",
    description:
      "Makes several files of a project from shared parameters and returns them. write: true writes them into target; dry_run returns a diff.",
    toolset: "templates",
    input: {
      type: "object",
      properties: {
        toolchain: { type: "string" },
        templates: {
          type: "array",
          items: { type: "string" },
          minItems: 1,
          maxItems: 100,
          description: "Categories such as makefile, with a variant as in makefile/lib, or URIs.",
        },
        parameters: { type: "object", additionalProperties: true },
        variant: { type: "string", default: "cli" },
        write: { type: "boolean", default: false },
        target: { type: "string", description: "The folder of the project; project_name by default." },
        on_conflict: { enum: ["fail", "skip", "overwrite"], default: "fail" },
        dry_run: { type: "boolean", default: false },
      },
      required: ["toolchain", "templates", "parameters"],
    },
    output: {
      type: "object",
      properties: {
        files: {
          type: "array",
          items: {
            type: "object",
            properties: {
              path: { type: "string" },
              template: { type: "string" },
              checksum: { type: "string" },
              content: { type: "string" },
            },
            required: ["path", "template", "checksum"],
          },
        },
        errors: ERRORS,
        skipped: TEXTS,
        unchanged: TEXTS,
        conflicts: TEXTS,
        written: TEXTS,
        diff: { type: "string" },
        not_shown: TEXTS,
        next: { type: "object", properties: { templates: TEXTS }, required: ["templates"] },
      },
      required: ["files", "errors", "skipped", "written"],
    },
    annotations: workshop.isReadOnly ? READS : REPLACES,
    async run({ parameters, ...wish }, call) {
      const { makeProject } = await import("../projects/make-project.js");
      return makeProject(workshop, { ...wish, parameters: parameters as JsonObject }, () => workshop.reach(call));
    },
  });
