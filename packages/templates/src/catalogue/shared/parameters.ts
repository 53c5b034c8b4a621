import type { TemplateParameter } from "../../template.js";

/** What goes into one line of a file: no control characters, so that a value can never begin a line of its own. */
const LINE = "^[^\\u0000-\\u001f\\u007f\\u2028\\u2029]*$";

/** Words of a version such as 1.85 or 3.12: digits and dots. */
const VERSION = "^\\d+(?:\\.\\d+){0,2}$";

/** A piece of prose in one line, empty unless it is given. */
export const line = (name: string, about: string, fallback = ""): TemplateParameter => ({
  name,
  type: "string",
  description: about,
  default: fallback,
  pattern: LINE,
});

/** A switch. */
export const flag = (name: string, about: string, fallback: boolean): TemplateParameter => ({
  name,
  type: "boolean",
  description: about,
  default: fallback,
});

/** Several lines, each without control characters. */
export const list = (
  name: string,
  about: string,
  fallback: readonly string[] = [],
  pattern = "^[^\\u0000-\\u001f\\u007f\\u2028\\u2029]+$",
): TemplateParameter => ({ name, type: "array", description: about, default: fallback, pattern });

/** The version of a language or of its tools. */
export const versionOf = (name: string, what: string, fallback: string): TemplateParameter => ({
  name,
  type: "string",
  description: `Version of ${what}.`,
  default: fallback,
  pattern: VERSION,
});

/** One of a few words. */
export const choice = (name: string, about: string, words: readonly [string, ...string[]]): TemplateParameter => ({
  name,
  type: "enum",
  description: about,
  default: words[0],
  enum: words,
});

/** What a name of a project is made of. */
export const PROJECT_NAME = "^[A-Za-z][A-Za-z0-9]*(?:[_-][A-Za-z0-9]+)*$";

/** What every project is told: its name, from which the names of packages, modules and programs are made. */
export const projectName: TemplateParameter = {
  name: "project_name",
  type: "string",
  description:
    "Name of the project: a letter, then letters and digits in words parted by single dashes or underscores.",
  required: true,
  pattern: PROJECT_NAME,
  maxLength: 64,
};

/** What the project is for. */
export const description = line("description", "What the project is for, in one line.");

/** The same where nothing can be said without it. */
export const purpose: TemplateParameter = {
  name: description.name,
  type: "string",
  description: description.description,
  required: true,
  pattern: LINE,
  minLength: 1,
};

/** Who wrote it. */
export const author = line("author", "Who wrote it, such as Ada Lovelace.");

/** Under which licence it may be used. */
export const license: TemplateParameter = {
  name: "license",
  type: "string",
  description: "Licence of the project as an SPDX expression.",
  default: "MIT",
  pattern: "^[A-Za-z0-9(][A-Za-z0-9.+() -]*$",
};

/** The first version of a package. */
export const version: TemplateParameter = {
  name: "version",
  type: "string",
  description: "Version of the package, as in semantic versioning.",
  default: "0.1.0",
  pattern: "^\\d+\\.\\d+\\.\\d+$",
};

/** Whether there are tests to run. */
export const hasTests = flag("has_tests", "Whether there are tests to run.", true);

/** Where a server listens. */
export const port: TemplateParameter = {
  name: "port",
  type: "integer",
  description: "Port on which the server listens.",
  default: 8080,
  minimum: 1024,
  maximum: 65_535,
};

/** The branch that is always ready to be released. */
export const branch: TemplateParameter = {
  name: "default_branch",
  type: "string",
  description: "Branch that is always ready to be released.",
  default: "main",
  pattern: "^[A-Za-z0-9][A-Za-z0-9._/-]*$",
};
