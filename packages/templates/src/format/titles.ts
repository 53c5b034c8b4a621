import type { TemplateSource } from "./template.js";

/** The toolchains of the built-in templates in the order of lists, with their display names. */
export const TOOLCHAINS: Readonly<Record<string, string>> = {
  rust: "Rust",
  deno: "Deno",
  "python-uv": "Python uv",
  "node-ts": "Node TypeScript",
  bun: "Bun",
  go: "Go",
  java: "Java",
  dotnet: ".NET",
  any: "",
};

const CATEGORIES: Readonly<Record<string, string>> = {
  makefile: "Makefile",
  readme: "README",
  gitignore: ".gitignore",
  license: "licence",
  editorconfig: ".editorconfig",
  "ci-github": "GitHub workflow",
  dockerfile: "Dockerfile",
  devcontainer: "dev container",
  precommit: "pre-commit hooks",
  contributing: "CONTRIBUTING",
  security: "SECURITY",
  "manifest-of-tests": "manifest of the tests",
  dependabot: "Dependabot settings",
  dockerignore: ".dockerignore",
  gitattributes: ".gitattributes",
  lint: "linter settings",
};

const VARIANTS: Readonly<Record<string, string>> = {
  cli: "CLI",
  lib: "library",
  "mcp-server": "MCP server",
  "mcp-pack": "MCP pack",
  default: "",
};

/** Returns the display name of a template, such as "Rust CLI Makefile". */
export function titleOf({ name, category, toolchain, variant }: Omit<TemplateSource, "body">): string {
  if (name !== undefined) return name;
  const words = [titled(TOOLCHAINS, toolchain), titled(VARIANTS, variant), titled(CATEGORIES, category)];
  return words.filter((word) => word !== "").join(" ");
}

const titled = (titles: Readonly<Record<string, string>>, word: string): string =>
  Object.hasOwn(titles, word) ? (titles[word] ?? word) : word;

const NAMES = Object.keys(TOOLCHAINS);

/** Compares toolchains by the order of lists. Unknown ones come last, sorted by name. */
export function compareToolchains(left: string, right: string): number {
  const [a, b] = [left, right].map((name) => NAMES.indexOf(name)) as [number, number];
  if (a !== b) return (a === -1 ? NAMES.length : a) - (b === -1 ? NAMES.length : b);
  return left < right ? -1 : Number(left > right);
}

const TYPES: readonly (readonly [RegExp, string])[] = [
  [/(?:^|\/)(?:GNU)?[Mm]akefile$|\.mk$/, "text/x-makefile"],
  [/(?:^|\/)(?:Docker|Container)file/, "text/x-dockerfile"],
  [/\.md$/, "text/markdown"],
  [/\.jsonc?$/, "application/json"],
  [/\.ya?ml$/, "application/yaml"],
  [/\.toml$/, "application/toml"],
  [/\.(?:xml|csproj|props)$/, "application/xml"],
  [/\.(?:sh|bash)$/, "text/x-shellscript"],
  [/\.py$/, "text/x-python"],
  [/\.rs$/, "text/x-rust"],
  [/\.go$/, "text/x-go"],
  [/\.[cm]?tsx?$/, "text/x-typescript"],
  [/\.[cm]?js$/, "text/javascript"],
  [/\.java$/, "text/x-java"],
  [/\.cs$/, "text/x-csharp"],
];

/** Returns the media type of a file by its name. */
export const mimeTypeOf = (filename: string): string =>
  TYPES.find(([pattern]) => pattern.test(filename))?.[1] ?? "text/plain";
