import { type JsonObject, type Prompt, prompt } from "@toolwright/engine";
import type { TemplatesContext } from "./context.js";
import { TOOLCHAINS, titleOf } from "./format/titles.js";
import type { Entry } from "./library/library.js";

/** The pattern of the parameter project_name of the built-in templates. */
const PROJECT_NAME = "^[A-Za-z][A-Za-z0-9]*(?:[_-][A-Za-z0-9]+)*$";

/** Further arguments of the prompts, as in the source document. */
const MORE: Readonly<Record<string, JsonObject>> = {
  rust: {
    has_tests: { type: "boolean", description: "Whether the project has tests." },
    has_benchmarks: { type: "boolean", description: "Whether the project has benchmarks." },
  },
  deno: {
    permissions: { type: "string", description: "Permission flags, separated by commas, such as --allow-read." },
  },
  "python-uv": { python_version: { type: "string", description: "Minimum Python version, such as 3.12." } },
};

/** One prompt for each toolchain, which starts a project. */
export const prompts = (context: TemplatesContext): readonly Prompt[] =>
  Object.keys(TOOLCHAINS)
    .filter((toolchain) => toolchain !== "any")
    .map((toolchain) => scaffoldPrompt(context, toolchain));

function scaffoldPrompt({ library }: TemplatesContext, toolchain: string): Prompt {
  const title = TOOLCHAINS[toolchain] ?? toolchain;
  return prompt({
    name: `scaffold-${toolchain === "python-uv" ? "python" : toolchain}-project`,
    title: `Start a ${title} project`,
    requires: ["scaffold_project"],
    description: `Creates the standard files of a ${title} project.`,
    input: {
      type: "object",
      properties: {
        project_name: { type: "string", pattern: PROJECT_NAME, maxLength: 64, description: "The name of the project." },
        project_type: { enum: ["cli", "lib", "service"], description: "A program, a library or a server." },
        ...MORE[toolchain],
      },
      required: ["project_name", "project_type"],
    },
    async run(input) {
      const { project_type: variant, ...parameters } = input as JsonObject & { readonly project_type: string };
      return messageFor(await library.list(), { toolchain, variant, parameters });
    },
  });
}

interface ProjectStart {
  readonly toolchain: string;
  readonly variant: string;
  readonly parameters: JsonObject;
}

function messageFor(entries: readonly Entry[], { toolchain, variant, parameters }: ProjectStart): string {
  const available = entries.filter((entry) => [toolchain, "any"].includes(entry.toolchain));
  const categories = [...new Set(available.map(({ category }) => category))];
  const known = new Set(available.flatMap(({ source }) => source.parameters.map(({ name }) => name)));
  const passed = Object.fromEntries(
    Object.entries(parameters)
      .filter(([name]) => known.has(name))
      .map(([name, value]) => [
        name,
        typeof value === "string" && name === "permissions" ? value.split(/\s*,\s*/) : value,
      ]),
  );
  const call = { toolchain, templates: categories, variant, parameters: passed };
  return [
    `Start the ${TOOLCHAINS[toolchain] ?? toolchain} project ${JSON.stringify(parameters["project_name"])} (${variant}).`,
    `1. Call scaffold_project with ${JSON.stringify(call)}. It returns the files and writes nothing. Remove the templates that the project does not need.`,
    "2. If errors lists missing parameters, ask me for those you cannot know, and call it again.",
    "3. Show me the list of files. When I agree, call it with write: true. With dry_run: true it shows what would change in an existing folder.",
    `The templates are:\n${available.map((entry) => `- ${entry.uri}: ${titleOf(entry.source)}. ${entry.description}`).join("\n")}`,
  ].join("\n");
}
