import { type JsonObject, tool } from "@toolwright/engine";
import { OVERWRITE } from "@toolwright/kit/pack";
import type { TemplatesContext } from "../context.js";
import { ERRORS, STRINGS } from "./schemas.js";

/** Updates a project to the current templates. */
export const updateProject = (context: TemplatesContext) =>
  tool({
    name: "update_project",
    title: "Update a project",
    description:
      "Merges newer templates or other parameters into a project that scaffold_project wrote. Keeps your changes and marks conflicts in the files.",
    toolset: "templates",
    input: {
      type: "object",
      properties: {
        target: { type: "string", description: "Folder of the project." },
        parameters: {
          type: "object",
          additionalProperties: true,
          default: {},
          description: "Only the parameters to change.",
        },
        dry_run: { type: "boolean", default: false, description: "Returns a diff and writes nothing." },
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
        written: STRINGS,
        diff: { type: "string" },
        not_shown: STRINGS,
      },
      required: ["files", "errors", "written"],
    },
    annotations: OVERWRITE,
    async run({ parameters, ...options }, call) {
      const { updateProject: update } = await import("../projects/create-project.js");
      return update(context, { ...options, parameters: parameters as JsonObject }, () => context.accessFor(call));
    },
  });
