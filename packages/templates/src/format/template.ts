/** What a value of a parameter can be; the items of an array are strings. */
export type ParameterType = "string" | "boolean" | "integer" | "enum" | "array";

/** What a parameter can be set to. */
export type ParameterValue = string | boolean | number | readonly string[];

/** One thing that a template wants to be told. */
export interface TemplateParameter {
  /** snake_case: the name of the variable in the body. */
  readonly name: string;
  readonly type: ParameterType;
  readonly description: string;
  readonly required?: boolean;
  /** What it is when nothing was said. Without one it is unset: it can be asked for with `if`, but not printed. */
  readonly default?: ParameterValue;
  /** What an enum can be; of an array, what each item can be. */
  readonly enum?: readonly string[];
  /** A regular expression, which a string, or each item of an array, matches as a whole where it says so with ^ and $. */
  readonly pattern?: string;
  /** Whether the pattern is stopped where it takes too long: it was written by a user. */
  readonly isTimed?: boolean;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

/**
 * How variables and tags stand out in a body: curly is `{{ name }}` and `{% if … %}`, angle is `<{ name }>` and `<% if … %>`,
 * for files in which `{{ }}` means something else, such as the workflows of GitHub.
 */
export type Delimiters = "curly" | "angle";

/** A parameterised file as an author writes it. */
export interface TemplateSource {
  /** What kind of file it is, such as makefile: the first part of the URI. Lower-case letters, digits and dashes, as the next two. */
  readonly category: string;
  /** What it is for, such as rust; `any` where it is for all of them. */
  readonly toolchain: string;
  /** Which of several, such as cli, lib or service. */
  readonly variant: string;
  /** What people call it; made of the three above where it is left out, such as "Rust CLI Makefile". */
  readonly name?: string;
  readonly description: string;
  /** The path inside the project, with forward slashes. It may have variables, always with curly delimiters. */
  readonly filename: string;
  readonly parameters: readonly TemplateParameter[];
  /** Liquid, without includes: what it prints is the file, to the last line feed. */
  readonly body: string;
  /** The mode of the file where it is not the usual one: 0o755 for one that is run. */
  readonly mode?: number;
  readonly delimiters?: Delimiters;
}
