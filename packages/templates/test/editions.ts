import type { TemplateSource } from "../src/format/template.js";

/** The categories of a small project; one of its files lies in a folder of its own. */
export const CATEGORIES = ["one", "two", "three"];

/** What the template of a category makes in an edition. */
export const textOf = (category: string, edition: number): string =>
  `edition ${edition}\n${`${category}\n`.repeat(20)}end\n`;

/** The templates of a small project as they were in an edition of the catalogue. */
export const editionOf = (edition: number): readonly TemplateSource[] =>
  CATEGORIES.map((category) => ({
    category,
    toolchain: "go",
    variant: "cli",
    description: "x",
    filename: category === "three" ? "deep/three" : category,
    parameters: [],
    body: textOf(category, edition),
  }));
