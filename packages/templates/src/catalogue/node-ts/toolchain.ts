import { versionOf } from "../shared/parameters.js";
import type { Toolchain } from "../shared/toolchain.js";
import { TYPESCRIPT_INDENT } from "../shared/typescript.js";

/** The Node that the project is for. */
export const nodeVersion = { ...versionOf("node_version", "Node that is needed at least", "24"), pattern: "^\\d+$" };

/** Node with TypeScript, npm and the test runner of Node. */
export const nodeTs: Toolchain = {
  name: "node-ts",
  title: "Node TypeScript",
  needs: ["Node with npm: <https://nodejs.org>", "make"],
  commands: {
    prepare: "npm install",
    format: "npm run format",
    formatCheck: "npx biome format",
    lint: "npm run lint",
    build: "npm run build",
    test: "npm test",
    run: "npx {{ project_name | kebab }} world",
    serve: "npm start",
  },
  library: {
    install: "npm install {{ project_name | kebab }}",
    language: "ts",
    example: 'import { greet } from "{{ project_name | kebab }}";\n\nconsole.log(greet("world"));',
  },
  indents: [TYPESCRIPT_INDENT],
};
