import type { TemplateSource } from "../../template.js";
import { templatesOf } from "../shared/of.js";
import { author, license, line, list, projectName, purpose, versionOf } from "../shared/parameters.js";
import { readmesOfOthers } from "../shared/readme.js";
import { rust } from "./toolchain.js";

const template = templatesOf("rust");

const BODY = `# {{ project_name }}

{{ description }}
{%- if features.size > 0 %}

## Features
{% for feature in features %}
- {{ feature }}
{%- endfor %}
{%- endif %}

## What it needs

- Rust {{ rust_version }} or newer
{%- for prerequisite in prerequisites %}
- {{ prerequisite }}
{%- endfor %}

## Installation

\`\`\`sh
{{ install_command }}
\`\`\`

## Use

\`\`\`sh
{% if usage_example != "" %}{{ usage_example }}{% else %}{{ project_name | kebab }} --help{% endif %}
\`\`\`

## Development

\`\`\`sh
{{ build_command }}
{{ test_command }}
\`\`\`

## License

{{ license }}, see [LICENSE](LICENSE).
{%- if author != "" %}

## Author

{{ author }}
{%- endif %}
`;

/** What a Rust project says of itself. */
export const readmes: readonly TemplateSource[] = [
  template("readme", "cli", {
    description: "README of a Rust program: what it is, how it is installed, used and built.",
    filename: "README.md",
    parameters: [
      projectName,
      purpose,
      list("features", "What it can do, a line each."),
      versionOf("rust_version", "Rust that is needed at least", "1.75"),
      line("install_command", "Command that installs it.", "cargo install --path ."),
      line("usage_example", "Command that shows what it does."),
      list("prerequisites", "What else must be on the machine, a line each.", [
        "cargo, rustfmt and clippy: <https://rustup.rs>",
        "make",
      ]),
      line("build_command", "Command that builds it.", "make build"),
      line("test_command", "Command that tests it.", "make test"),
      license,
      author,
    ],
    body: BODY,
  }),
  ...readmesOfOthers(rust),
];
