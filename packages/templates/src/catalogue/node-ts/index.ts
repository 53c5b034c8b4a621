import type { TemplateSource } from "../../template.js";
import { contributing } from "../shared/contributing.js";
import { editorconfig } from "../shared/editorconfig.js";
import { gitignore } from "../shared/gitignore.js";
import { makefiles, ofServer, type Target, without } from "../shared/makefile.js";
import { templatesOf, type Variant } from "../shared/of.js";
import { port } from "../shared/parameters.js";
import { precommit } from "../shared/precommit.js";
import { readmeOfProgram, readmesOfOthers } from "../shared/readme.js";
import { biome, PACKAGE_HEAD, PACKAGE_PARAMETERS, tsconfig } from "../shared/typescript.js";
import { workflow } from "../shared/workflow.js";
import { mcpTemplates } from "./mcp.js";
import { sources } from "./sources.js";
import { nodeTs, nodeVersion } from "./toolchain.js";

const template = templatesOf("node-ts");
const { commands } = nodeTs;

const SCRIPTS = `  "engines": {
    "node": ">={{ node_version }}"
  },
  "scripts": {
    "build": "tsc",
    "dev": "tsc --watch",
    "test": "tsc && node --test \\"dist/**/*.test.js\\"",
    "lint": "biome check",
    "format": "biome check --write"START
  },
  "devDependencies": {
    "@biomejs/biome": "^2.4.0",
    "@types/node": "^{{ node_version }}.0.0",
    "typescript": "^7.0.0"
  }
}
`;

const SHIPPED = `  "files": [
    "dist",
    "!dist/**/*.test.*"
  ],
`;
const STARTED = `,\n    "start": "node dist/main.js"`;

const manifest = (variant: Variant, what: string, own: string, start = ""): TemplateSource =>
  template("manifest", variant, {
    description: `Manifest for npm of ${what}.`,
    filename: "package.json",
    parameters: [...PACKAGE_PARAMETERS, nodeVersion],
    body: PACKAGE_HEAD + own + SCRIPTS.replace("START", () => start),
  });

const SETTINGS = "NPM ?= npm";

const TARGETS: readonly Target[] = [
  { name: "install", about: "Fetch what the project builds on", run: ["$(NPM) ci"] },
  { name: "build", about: "Build into dist", run: ["$(NPM) run build"] },
  { name: "run", about: "Build and run the program with ARGS", needs: "build", run: ["node dist/main.js $(ARGS)"] },
  { name: "test", about: "Run the tests", when: "has_tests", run: ["$(NPM) test"] },
  { name: "format", about: "Lay the code out and repair what can be", run: ["$(NPM) run format"] },
  { name: "lint", about: "Look for mistakes and check the layout", run: ["$(NPM) run lint"] },
  { name: "check", about: "Do all that the pipeline does", needs: "lint build{% if has_tests %} test{% endif %}" },
  { name: "clean", about: "Remove what was built", run: ["rm -rf dist coverage *.tsbuildinfo"] },
];

const DOCKERFILE = `# syntax=docker/dockerfile:1
FROM node:{{ node_version }}-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN --mount=type=cache,target=/root/.npm npm ci
COPY . .
RUN npm run build && npm prune --omit=dev

FROM node:{{ node_version }}-bookworm-slim
ENV NODE_ENV=production
WORKDIR /app
COPY --from=build --chown=node:node /app/package.json ./
COPY --from=build --chown=node:node /app/node_modules ./node_modules
COPY --from=build --chown=node:node /app/dist ./dist
USER node
`;

const START = 'ENTRYPOINT ["node", "dist/main.js"]\n';

const HEALTH = `ENV HOST=0.0.0.0 PORT={{ port }}
EXPOSE {{ port }}
HEALTHCHECK --interval=30s --timeout=3s \\
    CMD ["node", "-e", "fetch('http://127.0.0.1:{{ port }}/healthz').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
`;

/** Every template for Node with TypeScript. */
export const nodeTemplates: readonly TemplateSource[] = [
  ...makefiles(nodeTs, {
    cli: { settings: `${SETTINGS}\nARGS ?=`, targets: TARGETS },
    lib: {
      settings: SETTINGS,
      targets: [
        ...without(TARGETS, "run"),
        { name: "package", about: "Say what publishing would upload", needs: "build", run: ["$(NPM) pack --dry-run"] },
      ],
    },
    service: { settings: SETTINGS, targets: ofServer(TARGETS, "$(NPM) start") },
  }),
  readmeOfProgram(nodeTs),
  ...readmesOfOthers(nodeTs),
  gitignore(nodeTs, [
    [
      "What npm and the compiler leave behind",
      "node_modules/",
      "/dist/",
      "/coverage/",
      "*.tsbuildinfo",
      "*.tgz",
      "npm-debug.log*",
    ],
  ]),
  manifest(
    "cli",
    "a Node program in TypeScript",
    `  "bin": {
    "{{ project_name | kebab }}": "./dist/main.js"
  },
${SHIPPED}`,
  ),
  manifest(
    "lib",
    "a Node library in TypeScript",
    `  "sideEffects": false,
  "exports": {
    ".": {
      "types": "./dist/index.d.ts",
      "default": "./dist/index.js"
    }
  },
${SHIPPED}`,
  ),
  manifest("service", "a Node server in TypeScript, which is never published", '  "private": true,\n', STARTED),
  tsconfig(nodeTs, {
    target: "es2023",
    lib: ["es2023"],
    module: "nodenext",
    types: ["node"],
    rootDir: "src",
    outDir: "dist",
    declaration: true,
    sourceMap: true,
  }),
  biome(nodeTs),
  ...sources,
  ...mcpTemplates,
  template("dockerfile", "cli", {
    description: "Image of a Node program that is built in one stage and runs without root in another.",
    filename: "Dockerfile",
    parameters: [nodeVersion],
    body: DOCKERFILE + START,
  }),
  template("dockerfile", "service", {
    description: "Image of a Node server that is built in one stage and runs without root in another.",
    filename: "Dockerfile",
    parameters: [nodeVersion, port],
    body: DOCKERFILE + HEALTH + START,
  }),
  workflow(nodeTs, {
    parameters: [nodeVersion],
    setup:
      '- uses: actions/setup-node@v6\n  with:\n    node-version: "<{ node_version }>"\n    cache: npm\n- run: npm ci',
    check: [["Lint", commands.lint]],
    test: [
      ["Build", commands.build],
      ["Test", commands.test],
    ],
  }),
  precommit(nodeTs, [
    { id: "biome", name: "biome", entry: "npx biome check", files: "\\.([cm]?[jt]sx?|json)$" },
    { id: "types", name: "types", entry: "npx tsc --noEmit", files: "(\\.[cm]?tsx?|tsconfig.*\\.json)$" },
  ]),
  editorconfig(nodeTs),
  contributing(nodeTs),
];
