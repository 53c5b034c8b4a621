import type { TemplateSource } from "../../template.js";
import { contributing } from "../shared/contributing.js";
import { editorconfig } from "../shared/editorconfig.js";
import { gitignore } from "../shared/gitignore.js";
import { makefiles, ofServer, type Target, without } from "../shared/makefile.js";
import { templatesOf } from "../shared/of.js";
import { description, license, line, list, port, projectName, version, versionOf } from "../shared/parameters.js";
import { precommit } from "../shared/precommit.js";
import { readmeOfProgram, readmesOfOthers } from "../shared/readme.js";
import { workflow } from "../shared/workflow.js";
import { sources } from "./sources.js";
import { deno, entryPoint } from "./toolchain.js";

const template = templatesOf("deno");
const { commands } = deno;

const permissions = list(
  "permissions",
  "What the program may do, as flags of deno.",
  ["--allow-read", "--allow-write"],
  "^--?[A-Za-z][A-Za-z0-9-]*(?:=[A-Za-z0-9_.,:/@*+~-]+)?$",
);
const image = versionOf("deno_version", "Deno in the image", "2.9.6");

const TARGETS: readonly Target[] = [
  { name: "run", about: "Run the program with ARGS", run: ["$(DENO) run $(PERMISSIONS) $(ENTRY) $(ARGS)"] },
  {
    name: "dev",
    about: "Run it anew whenever a file changes",
    run: ["$(DENO) run --watch $(PERMISSIONS) $(ENTRY)"],
  },
  { name: "test", about: "Run the tests", when: "has_tests", run: ["$(DENO) test $(PERMISSIONS)"] },
  {
    name: "coverage",
    about: "Say what the tests cover",
    when: "has_tests",
    run: ["$(DENO) test --coverage=coverage $(PERMISSIONS)", "$(DENO) coverage coverage"],
  },
  { name: "format", about: "Lay the code out", run: ["$(DENO) fmt"] },
  { name: "format-check", about: "Check the layout of the code", run: ["$(DENO) fmt --check"] },
  { name: "lint", about: "Look for mistakes", run: ["$(DENO) lint"] },
  { name: "types", about: "Check the types", run: ["$(DENO) check $(ENTRY)"] },
  {
    name: "check",
    about: "Do all that the pipeline does",
    needs: "format-check lint types{% if has_tests %} test{% endif %}",
  },
  {
    name: "build",
    about: "Make one file that runs without deno",
    run: ["$(DENO) compile $(PERMISSIONS) --output dist/$(NAME) $(ENTRY)"],
  },
  { name: "clean", about: "Remove what was made", run: ["rm -rf coverage dist"] },
];

const SETTINGS = `DENO ?= deno
NAME := {{ project_name | kebab }}
ENTRY := {{ entry_point }}
PERMISSIONS :={% for permission in permissions %} {{ permission }}{% endfor %}`;

const LIBRARY_SETTINGS = `DENO ?= deno
ENTRY := mod.ts
PERMISSIONS :=`;

const MANIFEST = `  "tasks": {
    "dev": "deno run --watch {{ permissions | join: " " }} {{ entry_point }}",
    "start": "deno run {{ permissions | join: " " }} {{ entry_point }}",
    "test": "deno test {{ permissions | join: " " }}"
  },
`;

const manifest = (
  variant: string,
  what: string,
  more: string,
  parameters: TemplateSource["parameters"],
): TemplateSource =>
  template("manifest", variant, {
    description: `Manifest for deno of ${what}.`,
    filename: "deno.json",
    parameters,
    body: `{
${more}  "fmt": {
    "lineWidth": 100,
    "exclude": ["**/*.md", "**/*.yml", "**/*.yaml"]
  },
  "lint": {
    "rules": {
      "tags": ["recommended"],
      "include": ["no-console", "no-external-import"]
    }
  },
  "compilerOptions": {
    "strict": true,
    "noUncheckedIndexedAccess": true,
    "exactOptionalPropertyTypes": true
  },
  "imports": {
    "@std/assert": "jsr:@std/assert@^1.0.0"
  },
  "exclude": ["coverage", "dist"]
}
`,
  });

const DOCKERFILE = `# syntax=docker/dockerfile:1
FROM denoland/deno:{{ deno_version }} AS build
WORKDIR /app
COPY . .
RUN deno cache {{ entry_point }}

FROM denoland/deno:distroless-{{ deno_version }}
WORKDIR /app
COPY --from=build --chown=65532:65532 /deno-dir /deno-dir
COPY --from=build /app /app
ENV DENO_DIR=/deno-dir
USER 65532:65532
`;

const START = `ENTRYPOINT ["deno", "run", "--cached-only"{% for permission in permissions %}, {{ permission | json }}{% endfor %}, "{{ entry_point }}"]
`;

const network = { ...permissions, default: ["--allow-net", "--allow-env=PORT"] };

/** Every template for Deno. */
export const denoTemplates: readonly TemplateSource[] = [
  ...makefiles(deno, {
    cli: { parameters: [entryPoint, permissions], settings: `${SETTINGS}\nARGS ?=`, targets: TARGETS },
    lib: {
      settings: LIBRARY_SETTINGS,
      targets: [
        ...without(TARGETS, "run", "dev", "build"),
        { name: "package", about: "Try what publishing would do", run: ["$(DENO) publish --dry-run"] },
      ],
    },
    service: {
      parameters: [entryPoint, network],
      settings: SETTINGS,
      targets: ofServer(TARGETS, "$(DENO) run $(PERMISSIONS) $(ENTRY)"),
    },
  }),
  readmeOfProgram(deno, [projectName, description, line("author_name", "Who wrote it, such as Ada Lovelace.")]),
  ...readmesOfOthers(deno),
  gitignore(deno, [["What deno leaves behind", "/coverage/", "/dist/", "/node_modules/", "/vendor/", "*.orig"]]),
  manifest("cli", "a Deno program", MANIFEST, [entryPoint, permissions]),
  manifest("service", "a Deno server", MANIFEST, [entryPoint, network]),
  manifest(
    "lib",
    "a Deno library, ready to be published on JSR",
    `  "name": "@{{ scope }}/{{ project_name | kebab }}",
  "version": "{{ version }}",
  "license": {{ license | json }},
  "exports": "./mod.ts",
  "publish": {
    "exclude": ["**/*_test.ts", ".github"]
  },
`,
    [
      projectName,
      { ...line("scope", "Scope on JSR under which it is published.", "scope"), pattern: "^[a-z0-9][a-z0-9-]{1,19}$" },
      version,
      license,
    ],
  ),
  ...sources,
  template("dockerfile", "cli", {
    description: "Image of a Deno program that runs without root and fetches nothing when it starts.",
    filename: "Dockerfile",
    parameters: [entryPoint, permissions, image],
    body: DOCKERFILE + START,
  }),
  template("dockerfile", "service", {
    description: "Image of a Deno server that runs without root and fetches nothing when it starts.",
    filename: "Dockerfile",
    parameters: [entryPoint, network, image, port],
    body: `${DOCKERFILE}ENV PORT={{ port }}\nEXPOSE {{ port }}\n${START}`,
  }),
  workflow(deno, {
    setup: "- uses: denoland/setup-deno@v2\n  with:\n    deno-version: v2.x\n    cache: true",
    check: [
      ["Layout", commands.formatCheck],
      ["Lint", commands.lint],
    ],
    test: [
      ["Types", "deno check ."],
      ["Test", "deno test --allow-read --allow-write --allow-net"],
    ],
  }),
  precommit(deno, [
    { id: "deno-fmt", name: "deno fmt", entry: commands.formatCheck, files: "\\.(tsx?|jsx?|json)$" },
    { id: "deno-lint", name: "deno lint", entry: commands.lint, files: "\\.(tsx?|jsx?)$" },
  ]),
  editorconfig(deno),
  contributing(deno),
];
