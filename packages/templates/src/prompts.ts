import { type JsonObject, type Prompt, prompt } from "@toolwright/engine";
import type { Workshop } from "./context.js";
import { TOOLCHAINS, titleOf } from "./format/titles.js";
import type { Entry } from "./library/library.js";

/** The same as that of the parameter project_name of the built-in templates. */
const PROJECT_NAME = "^[A-Za-z][A-Za-z0-9]*(?:[_-][A-Za-z0-9]+)*$";

/** What a prompt asks beside the name and the type of the project, as the source document has it. */
const MORE: Readonly<Record<string, JsonObject>> = {
  rust: {
    has_tests: { type: "boolean", description: "Whether there are tests." },
    has_benchmarks: { type: "boolean", description: "Whether there are benchmarks." },
  },
  deno: { permissions: { type: "string", description: "Permissions such as --allow-read, with commas between." } },
  "python-uv": { python_version: { type: "string", description: "Such as 3.12." } },
};

/** What people can start with one word: a project of each toolchain. */
export const prompts = (workshop: Workshop): readonly Prompt[] =>
  Object.keys(TOOLCHAINS)
    .filter((toolchain) => toolchain !== "any")
    .map((toolchain) => scaffoldPrompt(workshop, toolchain));

function scaffoldPrompt({ library }: Workshop, toolchain: string): Prompt {
  const title = TOOLCHAINS[toolchain] ?? toolchain;
  return prompt({
    name: `scaffold-${toolchain === "python-uv" ? "python" : toolchain}-project`,
    title: `Start a ${title} project`,
    description: `Makes the standard files of a ${title} project.`,
    input: {
      type: "object",
      properties: {
        project_name: { type: "string", pattern: PROJECT_NAME, maxLength: 64, description: "The name of the project." },
        project_type: { enum: ["cli", "lib", "service"], description: "What it is." },
        ...MORE[toolchain],
      },
      required: ["project_name", "project_type"],
    },
    async run(input) {
      const { project_type: variant, ...given } = input as JsonObject & { readonly project_type: string };
      return messageFor(await library.list(), { toolchain, variant, given });
    },
  });
}

interface Start {
  readonly toolchain: string;
  readonly variant: string;
  readonly given: JsonObject;
}

function messageFor(entries: readonly Entry[], { toolchain, variant, given }: Start): string {
  const fitting = entries.filter((entry) => [toolchain, "any"].includes(entry.toolchain));
  const categories = [...new Set(fitting.map(({ category }) => category))];
  const known = new Set(fitting.flatMap(({ source }) => source.parameters.map(({ name }) => name)));
  const parameters = Object.fromEntries(
    Object.entries(given)
      .filter(([name]) => known.has(name))
      .map(([name, value]) => [
        name,
        typeof value === "string" && name === "permissions" ? value.split(/\s*,\s*/) : value,
      ]),
  );
  const call = { toolchain, templates: categories, variant, parameters };
  return [
    `Start the ${TOOLCHAINS[toolchain] ?? toolchain} project ${JSON.stringify(given["project_name"])} (${variant}).`,
    `1. Call scaffold_project with ${JSON.stringify(call)}. It returns the files and writes nothing. Leave out of templates what the project does not need.`,
    "2. Where errors names parameters that are missing, ask me for those you cannot know, and call it again.",
    "3. Show me the list of files. When I agree, call it with write: true; with dry_run: true it shows what would change in a folder that is there already.",
    `The templates are:\n${fitting.map((entry) => `- ${entry.uri}: ${titleOf(entry.source)}. ${entry.description}`).join("\n")}`,
  ].join("\n");
}
