import {
  type CommandContext,
  type Completion,
  type CompletionQuery,
  defineCommand,
  JSON_OPTION,
  type OptionSpec,
  YES_OPTION,
} from "@toolwright/kit/cli";

/** The folder with templates of the user. */
const DIRECTORY_OPTION = {
  type: "string",
  placeholder: "DIR",
  description: "A folder with your own templates; default: packs.templates.directory of the configuration.",
  complete: "folder",
} as const satisfies OptionSpec;
/** Parameters in JSON. */
const PARAMETERS_OPTION = {
  type: "string",
  placeholder: "JSON",
  description: "Parameters as a JSON object; NAME=VALUE overrides them.",
} as const satisfies OptionSpec;

/** Completes the name of a toolchain, or a kind of project. */
const completeToolchain = async (_: CompletionQuery, ctx: CommandContext): Promise<readonly Completion[]> =>
  (await import("./open.js")).listToolchains(ctx);

/** Completes the address of a template, such as makefile/rust/cli. */
const completeTemplate = async (_: CompletionQuery, ctx: CommandContext): Promise<readonly Completion[]> =>
  (await import("./open.js")).listAddresses(ctx);

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

const TEMPLATE = {
  required: true,
  description: "The template as category/toolchain/variant, such as makefile/rust/cli, or its URI.",
  complete: completeTemplate,
} as const;
const PARAMETER = {
  multiple: true,
  description: "Parameters as NAME=VALUE; items of a list are separated by commas.",
} as const;
const TOOLCHAIN = {
  type: "string",
  placeholder: "NAME",
  description: "Only templates of this toolchain.",
  complete: completeToolchain,
} as const;
const NONE_FOUND = { 1: "No template was found." };

const list = defineCommand({
  name: "list",
  aliases: ["ls"],
  summary: "List the templates",
  tool: "list_templates",
  options: {
    toolchain: TOOLCHAIN,
    category: { type: "string", placeholder: "NAME", description: "Only templates of this category." },
    variant: { type: "string", placeholder: "NAME", description: "Only templates of this variant." },
    json: JSON_OPTION,
    directory: DIRECTORY_OPTION,
  },
  exitCodes: NONE_FOUND,
  examples: ["toolwright template list --toolchain rust"],
  run: async (input, ctx) => (await import("./run-template.js")).listTemplates(input, ctx),
});

const searchCommand = defineCommand({
  name: "search",
  summary: "Find templates by words, most relevant first",
  tool: "search_templates",
  args: { query: { required: true, multiple: true, description: "Words to look for." } },
  options: { toolchain: TOOLCHAIN, json: JSON_OPTION, directory: DIRECTORY_OPTION },
  exitCodes: NONE_FOUND,
  examples: ["toolwright template search docker"],
  run: async (input, ctx) => (await import("./run-template.js")).searchTemplates(input, ctx),
});

const show = defineCommand({
  name: "show",
  aliases: ["get"],
  summary: "Show a template and its parameters",
  args: { template: TEMPLATE },
  options: {
    text: { type: "boolean", description: "Print the source text of the template." },
    json: { ...JSON_OPTION, conflictsWith: ["text"] },
    directory: DIRECTORY_OPTION,
  },
  examples: ["toolwright template show makefile/rust/cli"],
  run: async (input, ctx) => (await import("./run-template.js")).showTemplate(input, ctx),
});

const generate = defineCommand({
  name: "generate",
  summary: "Print the file that a template makes",
  tool: "generate_template",
  description: "On a terminal it asks for required parameters that are missing.",
  args: { template: TEMPLATE, parameter: PARAMETER },
  options: { parameters: PARAMETERS_OPTION, json: JSON_OPTION, directory: DIRECTORY_OPTION },
  examples: ["toolwright template generate makefile/rust/cli project_name=demo > Makefile"],
  run: async (input, ctx) => (await import("./run-template.js")).generateFile(input, ctx),
});

const validate = defineCommand({
  name: "validate",
  summary: "Validate parameters and print all errors",
  tool: "validate_template",
  args: { template: TEMPLATE, parameter: PARAMETER },
  options: { parameters: PARAMETERS_OPTION, json: JSON_OPTION, directory: DIRECTORY_OPTION },
  exitCodes: { 1: "The parameters are invalid." },
  examples: ["toolwright template validate readme/rust/cli project_name=demo --json"],
  run: async (input, ctx) => (await import("./run-template.js")).validateParameters(input, ctx),
});

/** `toolwright template`: lists, shows and renders templates. */
export const templateCommand = defineCommand({
  name: "template",
  group: "writing",
  summary: "List, show and render templates of project files",
  subcommands: [list, searchCommand, show, generate, validate],
});
