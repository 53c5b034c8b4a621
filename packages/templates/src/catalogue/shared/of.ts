import type { TemplateSource } from "../../template.js";

/** The three kinds of projects. */
export const VARIANTS = ["cli", "lib", "service"] as const;

/** A kind of project. */
export type Variant = (typeof VARIANTS)[number];

/** What descriptions call them. */
export const WORDS: Readonly<Record<Variant, string>> = { cli: "program", lib: "library", service: "server" };

/** What is left to say of a file once it is known to which toolchain it belongs. */
type Rest = Pick<TemplateSource, "name" | "description" | "filename" | "parameters" | "body">;

/** Makes the templates of one toolchain. */
export const templatesOf =
  (toolchain: string) =>
  (category: string, variant: string, rest: Rest): TemplateSource => ({ category, toolchain, variant, ...rest });
