import type { TemplateParameter, TemplateSource } from "../../template.js";
import { templatesOf, type Variant, WORDS } from "./of.js";
import { author, description, license, port, projectName } from "./parameters.js";
import type { Toolchain } from "./toolchain.js";

/** What a README is told by default. */
const TOLD: readonly TemplateParameter[] = [projectName, description, license, author];

/** The README of a program. */
export const readmeOfProgram = (toolchain: Toolchain, parameters = TOLD): TemplateSource =>
  readme(toolchain, "cli", parameters, shell(toolchain.commands.run));

/** The READMEs of a library and of a server. */
export function readmesOfOthers(toolchain: Toolchain): readonly TemplateSource[] {
  const { install, language, example } = toolchain.library;
  const serve = shell(`${toolchain.commands.serve}\ncurl http://localhost:{{ port }}/healthz`);
  const image = shell(
    "docker build --tag {{ project_name | kebab }} .\ndocker run --rm --publish {{ port }}:{{ port }} {{ project_name | kebab }}",
  );
  return [
    readme(toolchain, "lib", TOLD, `${shell(install)}\n\n\`\`\`${language}\n${example}\n\`\`\``),
    readme(toolchain, "service", [...TOLD, port], `${serve}\n\nIn a container:\n\n${image}`),
  ];
}

const shell = (commands: string): string => `\`\`\`sh\n${commands}\n\`\`\``;

function readme(
  toolchain: Toolchain,
  variant: Variant,
  parameters: readonly TemplateParameter[],
  use: string,
): TemplateSource {
  const { name, title, needs, commands } = toolchain;
  const { prepare, build, test, lint } = commands;
  return templatesOf(name)("readme", variant, {
    description: `README of a ${title} ${WORDS[variant]}.`,
    filename: "README.md",
    parameters,
    body: `${TOP}## What it needs

${needs.map((need) => `- ${need}`).join("\n")}

## Use

${use}

## Development

${shell([prepare, build, test, lint].join("\n"))}

\`make\` lists everything there is to do.
${ending(parameters.map((parameter) => parameter.name))}`,
  });
}

const TOP = `# {{ project_name }}
{%- if description != "" %}

{{ description }}
{%- endif %}

`;

function ending(names: readonly string[]): string {
  const writer = names.find((name) => name.startsWith("author"));
  const terms = names.includes("license") ? "\n## License\n\n{{ license }}, see [LICENSE](LICENSE).\n" : "";
  const who = writer === undefined ? "" : `{% if ${writer} != "" %}\n## Author\n\n{{ ${writer} }}\n{% endif %}`;
  return terms + who;
}
