import type { TemplateSource } from "../../template.js";
import type { Indent, Toolchain } from "./toolchain.js";

/** Files that every toolchain has. */
const COMMON: readonly Indent[] = [
  { pattern: "*.{json,jsonc,yml,yaml}", style: "space", size: 2 },
  { pattern: "{Makefile,*.mk}", style: "tab", size: 4 },
];

/** How editors treat the files of a project. */
export function editorconfig({ name, title, indents }: Toolchain): TemplateSource {
  return {
    category: "editorconfig",
    toolchain: name,
    variant: "default",
    description: `Settings that every editor follows in a ${title} project.`,
    filename: ".editorconfig",
    parameters: [],
    body: `${ALL}${[...indents, ...COMMON].map(toSection).join("")}${MARKDOWN}`,
  };
}

const ALL = `# https://editorconfig.org
root = true

[*]
charset = utf-8
end_of_line = lf
insert_final_newline = true
trim_trailing_whitespace = true
indent_style = space
indent_size = 4
`;

// Two blanks at the end of a line are a line break in Markdown.
const MARKDOWN = `
[*.md]
indent_size = 2
trim_trailing_whitespace = false
`;

function toSection({ pattern, style, size, width }: Indent): string {
  const limit = width === undefined ? "" : `max_line_length = ${width}\n`;
  return `\n[${pattern}]\nindent_style = ${style}\nindent_size = ${size}\n${limit}`;
}
