import { ToolError } from "@toolwright/engine";

/** The type of a parameter. The items of an array are strings. */
export type ParameterType = "string" | "boolean" | "integer" | "enum" | "array";

/** A value of a parameter. */
export type ParameterValue = string | boolean | number | readonly string[];

/** A parameter of a template. */
export interface TemplateParameter {
  /** The name of the variable in the body, in snake_case. */
  readonly name: string;
  readonly type: ParameterType;
  readonly description: string;
  readonly required?: boolean;
  /** Without a default an omitted parameter is unset: `if` can test it, printing it is an error. */
  readonly default?: ParameterValue;
  /** The values of an enum; for an array, of each item. */
  readonly enum?: readonly string[];
  /** A regular expression for a string, or for each item of an array. It matches anywhere unless it has ^ and $. */
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

/**
 * How variables and tags are marked in a body: curly is `{{ name }}` and `{% if … %}`; angle is `<{ name }>` and `<% if … %>`, for
 * files in which `{{ }}` has another meaning, such as GitHub workflows.
 */
export type Delimiters = "curly" | "angle";

/** A template as its author wrote it, with includes and shared parameters resolved. */
export interface TemplateSource {
  /** The kind of file, such as makefile. Lower-case letters, digits and dashes, like the next two. */
  readonly category: string;
  /** The toolchain that it is for, such as rust, or `any`. */
  readonly toolchain: string;
  /** The kind of project, such as cli, lib or service, or `default`. */
  readonly variant: string;
  /** The display name. The default is made of category, toolchain and variant: "Rust CLI Makefile". */
  readonly name?: string;
  readonly description: string;
  /** The path inside the project, with forward slashes. It may have variables, always with curly delimiters. */
  readonly filename: string;
  readonly parameters: readonly TemplateParameter[];
  /** The Liquid text that renders the file, to the last line feed. */
  readonly body: string;
  /** The file mode if it is not the default, such as 0o755. */
  readonly mode?: number;
  readonly delimiters?: Delimiters;
  /** A user wrote it: it is parsed and rendered in the sandbox, and its patterns have a time limit. */
  readonly isUntrusted?: boolean;
}

/** The three parts of a template URI. */
export type TemplateAddress = Pick<TemplateSource, "category" | "toolchain" | "variant">;

/** The maximum size of a body, with its includes, in bytes. */
export const MAX_BODY_BYTES = 64 * 1024;

/** The syntax of each part of a template URI. */
export const SLUG = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const SCHEME = "template://";

/** Returns the URI of a template. */
export const uriOf = ({ category, toolchain, variant }: TemplateAddress): string =>
  `${SCHEME}${category}/${toolchain}/${variant}`;

/** Adds the scheme to a short address such as makefile/rust/cli. */
export const toTemplateUri = (address: string): string => (address.includes("://") ? address : `${SCHEME}${address}`);

/** Removes the scheme from a template URI. */
export const shortUri = (uri: string): string => uri.slice(SCHEME.length);

/** Parses a template URI. Throws a `ToolError` that says what is wrong with it. */
export function parseTemplateUri(uri: string): TemplateAddress {
  if (!uri.startsWith(SCHEME)) throw invalidUri(uri, `it does not begin with ${SCHEME}`);
  const parts = uri.slice(SCHEME.length).split("/");
  if (parts.length !== 3) throw invalidUri(uri, `it has ${parts.length} parts instead of three`);
  const invalid = parts.find((part) => !SLUG.test(part) || part.length > 64);
  if (invalid !== undefined)
    throw invalidUri(uri, `${JSON.stringify(invalid)} may only have lower-case letters, digits and single dashes`);
  const [category = "", toolchain = "", variant = ""] = parts;
  return { category, toolchain, variant };
}

function invalidUri(uri: string, reason: string): ToolError {
  const shown = uri.length > 200 ? `${uri.slice(0, 200)}…` : uri;
  return new ToolError(
    `Invalid template URI ${JSON.stringify(shown)}: ${reason}. It must be template://category/toolchain/variant, such as template://makefile/rust/cli.`,
    {
      code: "INVALID_TEMPLATE_URI",
      hint: { action: "list the templates", tool: "list_templates" },
      details: { got: shown, expected: "template://{category}/{toolchain}/{variant}" },
    },
  );
}
