import type { TemplateParameter, TemplateSource } from "../../template.js";
import { author, description, license, projectName, version } from "./parameters.js";
import type { Toolchain } from "./toolchain.js";

/** What a package.json is told. */
export const PACKAGE_PARAMETERS: readonly TemplateParameter[] = [projectName, description, author, license, version];

/** How every package.json begins. */
export const PACKAGE_HEAD = `{
  "name": "{{ project_name | kebab }}",
  "version": "{{ version }}",
{%- if description != "" %}
  "description": {{ description | json }},
{%- endif %}
{%- if author != "" %}
  "author": {{ author | json }},
{%- endif %}
  "license": {{ license | json }},
  "type": "module",
`;

/** The strictness that every project begins with; it is hard to add later. */
const STRICT = `    "strict": true,
    "noUncheckedIndexedAccess": true,
    "exactOptionalPropertyTypes": true,
    "noPropertyAccessFromIndexSignature": true,
    "noImplicitOverride": true,
    "noImplicitReturns": true,
    "noFallthroughCasesInSwitch": true,
    "noUnusedLocals": true,
    "noUnusedParameters": true,
    "verbatimModuleSyntax": true,
    "isolatedModules": true,
    "erasableSyntaxOnly": true,
    "skipLibCheck": true`;

/** What the compiler is told, beside being strict. */
export function tsconfig({ name, title }: Toolchain, options: Readonly<Record<string, unknown>>): TemplateSource {
  const own = Object.entries(options).map(([option, value]) => `    "${option}": ${JSON.stringify(value)},\n`);
  return {
    category: "tsconfig",
    toolchain: name,
    variant: "default",
    description: `Strict settings of the TypeScript compiler for a ${title} project.`,
    filename: "tsconfig.json",
    parameters: [],
    body: `{\n  "compilerOptions": {\n${own.join("")}${STRICT}\n  },\n  "include": ["src"]\n}\n`,
  };
}

/** What biome, formatter and linter in one, is told; the rule that is off contradicts the strict compiler. */
export const biome = ({ name, title }: Toolchain): TemplateSource => ({
  category: "lint",
  toolchain: name,
  variant: "default",
  description: `Settings of biome, which lays out and lints a ${title} project.`,
  filename: "biome.json",
  parameters: [],
  body: `{
  "$schema": "./node_modules/@biomejs/biome/configuration_schema.json",
  "files": { "includes": ["src/**", "*.json", "!.*.json"] },
  "vcs": { "enabled": true, "clientKind": "git", "useIgnoreFile": true },
  "formatter": { "indentStyle": "space", "indentWidth": 2, "lineWidth": 100 },
  "linter": { "rules": { "complexity": { "useLiteralKeys": "off" } } },
  "assist": { "actions": { "source": { "organizeImports": "on" } } }
}
`,
});

/** A sentence that cannot end the comment in which it stands. */
export const about = (kind: string): string =>
  `{% if description != "" %}{{ description | replace: "*/", "* /" }}{% else %}The ${kind} {{ project_name | kebab }}.{% endif %}`;

/** How TypeScript is laid out. */
export const TYPESCRIPT_INDENT = {
  pattern: "*.{ts,tsx,mts,cts,js,mjs,cjs}",
  style: "space",
  size: 2,
  width: 100,
} as const;

/** A library that is the same wherever it runs. */
export const LIBRARY_SOURCE = `/** Greets somebody. */
export function greet(name: string): string {
  return \`Hello, \${name}!\`;
}
`;

/** The answer of a server, which is the same wherever it runs. */
export const ANSWER_SOURCE = `/** What a request is answered with. */
export interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, string>>;
}

/** Answers a request. */
export function answer(method: string, path: string): Answer {
  if (method !== "GET") return { status: 405, body: { error: "method not allowed" } };
  if (path === "/") return { status: 200, body: { message: "Hello, world!" } };
  if (path === "/healthz") return { status: 200, body: { status: "ok" } };
  return { status: 404, body: { error: "not found" } };
}
`;
