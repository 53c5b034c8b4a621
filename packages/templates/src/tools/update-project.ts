import { type JsonObject, tool } from "@toolwright/engine";
import { REPLACES } from "../annotations.js";
import type { Workshop } from "../context.js";
import { ERRORS, TEXTS } from "./output-schemas.js";

/** Brings a project up to the templates of today. */
export const updateProject = (workshop: Workshop) =>
  tool({
    name: "update_project",
    title: "Update a project",
    description:
      "Merges newer templates, or other parameters, into a project that scaffold_project wrote. Your changes stay; conflicts are marked in the files.",
    toolset: "templates",
    input: {
      type: "object",
      properties: {
        target: { type: "string" },
        parameters: { type: "object", additionalProperties: true, default: {}, description: "Only what is to change." },
        dry_run: { type: "boolean", default: false },
      },
      required: ["target"],
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
              status: { enum: ["unchanged", "updated", "merged", "conflict", "added", "removed", "left"] },
              conflicts: { type: "integer" },
            },
            required: ["path", "status"],
          },
        },
        errors: ERRORS,
        written: TEXTS,
        diff: { type: "string" },
        not_shown: TEXTS,
      },
      required: ["files", "errors", "written"],
    },
    annotations: REPLACES,
    async run({ parameters, ...wish }, call) {
      const { updateProject: update } = await import("../projects/make-project.js");
      return update(workshop, { ...wish, parameters: parameters as JsonObject }, () => workshop.reach(call));
    },
  });
