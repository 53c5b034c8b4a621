import { defineCommand, JSON_OPTION } from "@toolwright/kit/cli";
import { completeTemplate, completeToolchain, DIRECTORY_OPTION, PARAMETERS_OPTION } from "./options.js";

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
