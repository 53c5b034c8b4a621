import { type JsonObject, tool } from "@toolwright/engine";
import { CURSOR, OVERWRITE } from "@toolwright/kit/pack";
import type { TemplatesContext } from "../context.js";
import { ERRORS, STRINGS } from "./schemas.js";

/** Creates the files of a project. */
export const scaffoldProject = (context: TemplatesContext) =>
  tool({
    name: "scaffold_project",
    title: "Scaffold a project",
    description:
      "Renders several templates with shared parameters and returns the files; with write: true writes them. For one file, use generate_template.",
    toolset: "templates",
    input: {
      type: "object",
      properties: {
        toolchain: { type: "string", description: "Such as rust, python-uv, node-ts or go." },
        templates: {
          type: "array",
          items: { type: "string" },
          minItems: 1,
          maxItems: 100,
          description: "Categories such as makefile, with a variant as in makefile/lib, or template URIs.",
        },
        parameters: {
          type: "object",
          additionalProperties: true,
          description: "Values by parameter name. Each template takes those it has.",
        },
        variant: { type: "string", default: "cli", description: "cli, lib or service." },
        write: { type: "boolean", default: false, description: "Writes the files into target." },
        target: { type: "string", description: "Folder of the project. Default: project_name." },
        on_conflict: {
          enum: ["fail", "skip", "overwrite"],
          default: "fail",
          description: "If another file exists: write nothing, keep it, or replace it.",
        },
        dry_run: { type: "boolean", default: false, description: "Returns a diff and writes nothing." },
        cursor: CURSOR,
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
        skipped: STRINGS,
        unchanged: STRINGS,
        conflicts: STRINGS,
        written: STRINGS,
        diff: { type: "string" },
        not_shown: STRINGS,
        next_cursor: { type: "string" },
      },
      required: ["files", "errors", "skipped", "written"],
    },
    annotations: OVERWRITE,
    async run({ parameters, ...options }, call) {
      const { createProject } = await import("../projects/create-project.js");
      return createProject(context, { ...options, parameters: parameters as JsonObject }, () =>
        context.accessFor(call),
      );
    },
  });

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
