import type { TemplateSource } from "../../template.js";
import { branch, projectName } from "./parameters.js";
import type { Toolchain } from "./toolchain.js";

/** How others take part in a project. */
export function contributing({ name, title, needs, commands }: Toolchain): TemplateSource {
  const { prepare, formatCheck, format, lint, build, test } = commands;
  return {
    category: "contributing",
    toolchain: name,
    variant: "default",
    description: `Guide for people who want to contribute to a ${title} project.`,
    filename: "CONTRIBUTING.md",
    parameters: [projectName, branch],
    body: `# Contributing to {{ project_name }}

Thank you for taking the time. Bug reports, questions and changes are all welcome.

## Reporting a bug

Open an issue that says what you did, what you expected and what happened instead. A small example that shows it helps most.
Do not report a security problem in public: see [SECURITY.md](SECURITY.md).

## Setting up

You need:

${needs.map((need) => `- ${need}`).join("\n")}

\`\`\`sh
${prepare}
${build}
${test}
\`\`\`

## Making a change

1. Branch off \`{{ default_branch }}\`. For anything large, open an issue first.
2. Write a test that fails without your change. A bug fix starts with one.
3. Keep the change small and about one thing, and the documentation true.
4. Check it as the pipeline will:

   \`\`\`sh
   ${formatCheck}
   ${lint}
   ${test}
   \`\`\`

   \`${format}\` repairs the layout.
5. Write a commit message whose first line says what changes and whose body says why.
6. Open a pull request against \`{{ default_branch }}\`.

## Review

Somebody reads every change before it is merged. Expect questions: they are about the code, never about you.
By contributing you agree that your work is published under the license of the project.
`,
  };
}
