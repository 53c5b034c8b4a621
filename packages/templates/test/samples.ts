import type { TemplateSource } from "../src/format/template.js";

const projectName = {
  name: "project_name",
  type: "string",
  description: "The name of the project.",
  required: true,
  pattern: "^[A-Za-z][A-Za-z0-9_-]*$",
} as const;

/** A small Makefile, with most kinds of parameters. */
export const makefile: TemplateSource = {
  category: "makefile",
  toolchain: "rust",
  variant: "cli",
  description: "Builds and tests with cargo.",
  filename: "Makefile",
  parameters: [
    projectName,
    { name: "has_tests", type: "boolean", description: "Whether there are tests.", default: true },
    { name: "features", type: "array", description: "Features of cargo.", default: [], pattern: "^[a-z-]+$" },
    { name: "profile", type: "enum", description: "The profile.", enum: ["debug", "release"], default: "debug" },
    { name: "jobs", type: "integer", description: "How many at once.", minimum: 1, maximum: 64 },
  ],
  body: [
    "# {{ project_name | make }}",
    "build:",
    "\tcargo build{% if profile == 'release' %} --release{% endif %}{% if jobs %} -j{{ jobs }}{% endif %}{% if features.size > 0 %} --features {{ features | join: ',' }}{% endif %}",
    "{%- if has_tests %}",
    "",
    "test:",
    "\tcargo test",
    "{%- endif %}",
    "",
  ].join("\n"),
};

/** A workflow, in which double curly braces are not ours. */
const workflow: TemplateSource = {
  category: "ci-github",
  toolchain: "rust",
  variant: "default",
  description: "Runs the tests on each push.",
  filename: ".github/workflows/{{ project_name | kebab }}.yml",
  parameters: [projectName],
  delimiters: "angle",
  body: "name: <{ project_name | quote }>\nrun: echo ${{ github.ref }}\n",
};

/** A README for every toolchain. */
const readme: TemplateSource = {
  category: "readme",
  toolchain: "any",
  variant: "default",
  description: "Says what the project is about.",
  filename: "README.md",
  parameters: [projectName, { name: "tagline", type: "string", description: "One line about it.", maxLength: 80 }],
  body: "# {{ project_name | title }}\n{% if tagline %}\n{{ tagline | markdown }}\n{% endif %}\nMade in {{ current_year }}.\n",
};

/** A program that is run. */
const script: TemplateSource = {
  category: "script",
  toolchain: "deno",
  variant: "cli",
  description: "Runs the project.",
  filename: "run.sh",
  mode: 0o755,
  parameters: [projectName, { name: "note", type: "string", description: "Printed at the start." }],
  body: "#!/bin/sh\necho {{ note | shell }}\n",
};

/** All of them. */
export const samples: readonly TemplateSource[] = [makefile, workflow, readme, script];
