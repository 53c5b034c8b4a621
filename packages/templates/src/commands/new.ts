import { defineCommand, YES_OPTION } from "@toolwright/kit/cli";
import { completeToolchain, DIRECTORY_OPTION, PARAMETERS_OPTION } from "./options.js";

/** `toolwright new`: makes a project from templates, or updates one. */
export const newCommand = defineCommand({
  name: "new",
  group: "writing",
  summary: "Make a project from templates, or update one",
  tool: "scaffold_project",
  usage: [
    "server FOLDER [NAME=VALUE...]     an MCP server in TypeScript, with tests",
    "pack FOLDER [NAME=VALUE...]       a pack of tools for toolwright serve --pack",
    "TOOLCHAIN FOLDER [NAME=VALUE...]  the files of a project for a toolchain",
    "--update FOLDER [NAME=VALUE...]   merge newer templates or other parameters",
  ],
  description:
    "On a terminal it asks for what is missing, and for confirmation before it writes. Existing files are never replaced unless --on-conflict says so. The file .toolwright-answers.json in the folder records how the project was made; an update uses it to keep your changes and to mark conflicts.",
  args: {
    toolchain: {
      description: "A toolchain such as rust, or server or pack; not with --update.",
      complete: completeToolchain,
    },
    folder: { description: "The folder of the project.", complete: "folder" },
    parameter: { multiple: true, description: "Parameters as NAME=VALUE; items of a list are separated by commas." },
  },
  options: {
    variant: {
      type: "string",
      placeholder: "NAME",
      description: "The kind of project: cli (default), lib or service.",
    },
    templates: {
      type: "string",
      placeholder: "LIST",
      description: "Only these categories or URIs; makefile/lib selects a variant.",
    },
    without: { type: "string", placeholder: "LIST", description: "All categories but these." },
    parameters: PARAMETERS_OPTION,
    onConflict: {
      type: "string",
      choices: ["fail", "skip", "overwrite"],
      description: "If another file exists: fail (default), skip or overwrite.",
    },
    dryRun: { type: "boolean", description: "Print a diff and write nothing." },
    update: {
      type: "boolean",
      description: "Update the project in FOLDER.",
      conflictsWith: ["variant", "templates", "without", "onConflict"],
    },
    yes: YES_OPTION,
    directory: DIRECTORY_OPTION,
  },
  exitCodes: { 1: "A file could not be made; the others were." },
  examples: [
    'toolwright new server my-server description="Tells the weather."',
    'toolwright new rust demo author="Ada Lovelace"',
    "toolwright new go tool --variant service --without dockerfile,precommit",
    "toolwright new python-uv . --templates makefile,gitignore --on-conflict skip",
    "toolwright new node-ts demo --dry-run | less",
    "toolwright new --update demo license=Apache-2.0",
  ],
  run: async (input, ctx) => (await import("./run-new.js")).runNew(input, ctx),
});
