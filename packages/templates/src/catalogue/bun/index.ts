import type { TemplateSource } from "../../template.js";
import { contributing } from "../shared/contributing.js";
import { editorconfig } from "../shared/editorconfig.js";
import { gitignore } from "../shared/gitignore.js";
import { makefiles, ofServer, type Target, without } from "../shared/makefile.js";
import { templatesOf, type Variant } from "../shared/of.js";
import { port, versionOf } from "../shared/parameters.js";
import { precommit } from "../shared/precommit.js";
import { readmeOfProgram, readmesOfOthers } from "../shared/readme.js";
import { biome, PACKAGE_HEAD, PACKAGE_PARAMETERS, tsconfig } from "../shared/typescript.js";
import { workflow } from "../shared/workflow.js";
import { sources } from "./sources.js";
import { bun } from "./toolchain.js";

const template = templatesOf("bun");
const { commands } = bun;
const bunVersion = { ...versionOf("bun_version", "Bun", "1.4"), pattern: "^\\d+\\.\\d+$" };

const scripts = (build: string, start: string): string => `  "scripts": {
    "build": "${build}",${start}
    "types": "tsc",
    "test": "bun test",
    "lint": "biome check",
    "format": "biome check --write"
  },
  "devDependencies": {
    "@biomejs/biome": "^2.4.0",
    "@types/bun": "^1.3.0",
    "typescript": "^7.0.0"
  }
}
`;

const BUNDLE = "bun build src/main.ts --outdir dist --target bun";
const PUBLISHED = "bun build src/index.ts --outdir dist --target node --packages external";
const STARTED = '\n    "start": "bun run src/main.ts",\n    "dev": "bun --watch src/main.ts",';

const manifest = (variant: Variant, what: string, body: string): TemplateSource =>
  template("manifest", variant, {
    description: `Manifest for Bun of ${what}.`,
    filename: "package.json",
    parameters: PACKAGE_PARAMETERS,
    body: PACKAGE_HEAD + body,
  });

const TARGETS: readonly Target[] = [
  { name: "install", about: "Fetch what the project builds on", run: ["$(BUN) install --frozen-lockfile"] },
  { name: "build", about: "Build into dist", run: ["$(BUN) run build"] },
  { name: "run", about: "Run the program with ARGS", run: ["$(BUN) run start $(ARGS)"] },
  { name: "test", about: "Run the tests", when: "has_tests", run: ["$(BUN) test"] },
  { name: "types", about: "Check the types", run: ["$(BUN) run types"] },
  { name: "format", about: "Lay the code out and repair what can be", run: ["$(BUN) run format"] },
  { name: "lint", about: "Look for mistakes and check the layout", run: ["$(BUN) run lint"] },
  { name: "check", about: "Do all that the pipeline does", needs: "lint types{% if has_tests %} test{% endif %}" },
  { name: "clean", about: "Remove what was built", run: ["rm -rf dist coverage"] },
];

const DOCKERFILE = `# syntax=docker/dockerfile:1
FROM oven/bun:{{ bun_version }}-slim AS build
WORKDIR /app
COPY package.json bun.lock ./
RUN bun install --frozen-lockfile
COPY . .
RUN bun run build

FROM oven/bun:{{ bun_version }}-slim
ENV NODE_ENV=production
WORKDIR /app
COPY --from=build --chown=bun:bun /app/dist ./dist
USER bun
`;

const START = 'ENTRYPOINT ["bun", "run", "dist/main.js"]\n';

/** Every template for Bun. */
export const bunTemplates: readonly TemplateSource[] = [
  ...makefiles(bun, {
    cli: { settings: "BUN ?= bun\nARGS ?=", targets: TARGETS },
    lib: { settings: "BUN ?= bun", targets: without(TARGETS, "run") },
    service: { settings: "BUN ?= bun", targets: ofServer(TARGETS, "$(BUN) run start") },
  }),
  readmeOfProgram(bun),
  ...readmesOfOthers(bun),
  gitignore(bun, [
    ["What bun leaves behind", "node_modules/", "/dist/", "/coverage/", "*.bun-build", "*.tsbuildinfo", "*.tgz"],
  ]),
  manifest(
    "cli",
    "a Bun program",
    `  "bin": {
    "{{ project_name | kebab }}": "./dist/main.js"
  },
  "files": [
    "dist"
  ],
${scripts(BUNDLE, STARTED)}`,
  ),
  manifest(
    "lib",
    "a Bun library",
    `  "sideEffects": false,
  "exports": {
    ".": {
      "types": "./src/index.ts",
      "bun": "./src/index.ts",
      "default": "./dist/index.js"
    }
  },
  "files": [
    "dist",
    "src",
    "!src/**/*.test.ts"
  ],
${scripts(PUBLISHED, "")}`,
  ),
  manifest("service", "a Bun server, which is never published", `  "private": true,\n${scripts(BUNDLE, STARTED)}`),
  tsconfig(bun, {
    target: "esnext",
    lib: ["esnext"],
    module: "preserve",
    moduleResolution: "bundler",
    moduleDetection: "force",
    types: ["bun"],
    noEmit: true,
    allowImportingTsExtensions: true,
  }),
  biome(bun),
  ...sources,
  template("dockerfile", "cli", {
    description: "Image of a Bun program that is bundled in one stage and runs without root in another.",
    filename: "Dockerfile",
    parameters: [bunVersion],
    body: DOCKERFILE + START,
  }),
  template("dockerfile", "service", {
    description: "Image of a Bun server that is bundled in one stage and runs without root in another.",
    filename: "Dockerfile",
    parameters: [bunVersion, port],
    body: `${DOCKERFILE}ENV HOST=0.0.0.0 PORT={{ port }}\nEXPOSE {{ port }}\n${START}`,
  }),
  workflow(bun, {
    parameters: [bunVersion],
    setup:
      '- uses: oven-sh/setup-bun@v2\n  with:\n    bun-version: "<{ bun_version }>.x"\n- run: bun install --frozen-lockfile',
    check: [
      ["Lint", commands.lint],
      ["Types", "bun run types"],
    ],
    test: [
      ["Build", commands.build],
      ["Test", commands.test],
    ],
  }),
  precommit(bun, [
    { id: "biome", name: "biome", entry: "bunx biome check", files: "\\.([cm]?[jt]sx?|json)$" },
    { id: "types", name: "types", entry: "bun run types", files: "(\\.[cm]?tsx?|tsconfig.*\\.json)$" },
  ]),
  editorconfig(bun),
  contributing(bun),
];
