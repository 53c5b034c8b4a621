import type { TemplateSource } from "../../template.js";
import type { Toolchain } from "./toolchain.js";

/** Patterns under a heading. */
export type Section = readonly [heading: string, ...patterns: string[]];

/** Files of editors that only their owner wants. */
export const EDITORS = [".idea/", ".vscode/*", "!.vscode/extensions.json", "*.swp", "*~"] as const;

/** Files that operating systems leave behind. */
export const SYSTEMS = [".DS_Store", "Thumbs.db", "Desktop.ini"] as const;

/** Keys and passwords: an example of them may be kept, never the thing itself. */
export const SECRETS: Section = ["Secrets", ".env", ".env.*", "!.env.example", "*.pem"];

/** What git leaves alone in a project, the same for all projects of a toolchain. */
export function gitignore({ name, title }: Toolchain, sections: readonly Section[]): TemplateSource {
  const all: readonly Section[] = [...sections, SECRETS, ["Editors", ...EDITORS], ["Operating systems", ...SYSTEMS]];
  return {
    category: "gitignore",
    toolchain: name,
    variant: "cli",
    description: `Files that git leaves alone in a ${title} project.`,
    filename: ".gitignore",
    parameters: [],
    body: `${all.map(toText).join("\n\n")}\n`,
  };
}

/** A section as it stands in the file. */
export const toText = ([heading, ...patterns]: Section): string => `# ${heading}\n${patterns.join("\n")}`;
