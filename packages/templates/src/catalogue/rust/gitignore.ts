import type { TemplateSource } from "../../template.js";
import { EDITORS, SECRETS, SYSTEMS, toText } from "../shared/gitignore.js";
import { templatesOf } from "../shared/of.js";
import { line, list } from "../shared/parameters.js";

const LISTS = [
  ["build_artifacts", "What building leaves behind", ["/target/", "*.pdb"]],
  [
    "language_specific",
    "What the tools of Rust leave behind",
    ["**/*.rs.bk", "*.profraw", "*.profdata", "mutants.out*/"],
  ],
  ["ide_files", "Files of editors", EDITORS],
  ["os_specific", "Files that operating systems leave behind", SYSTEMS],
  ["embedded_targets", "Images for small devices", ["*.hex", "*.uf2"]],
  ["custom_patterns", "What only this project has", []],
] as const;

const toSection = ([name, heading]: (typeof LISTS)[number]): string => `{%- if ${name}.size > 0 %}

# ${heading}
{%- for pattern in ${name} %}
{{ pattern }}
{%- endfor %}
{%- endif %}`;

/** What git leaves alone in a Rust project. */
export const gitignoreOfRust: TemplateSource = templatesOf("rust")("gitignore", "cli", {
  description: "Files that git leaves alone in a Rust project, in lists that can be replaced.",
  filename: ".gitignore",
  parameters: [
    line("project_type", "Kind of project that the first line names, such as cli.", "cli"),
    ...LISTS.map(([name, heading, patterns]) => list(name, `${heading}, a pattern each.`, patterns)),
  ],
  body: `# Rust{% if project_type != "" %}, {{ project_type }}{% endif %}

${toText(SECRETS)}
${LISTS.map(toSection).join("\n")}
`,
});
