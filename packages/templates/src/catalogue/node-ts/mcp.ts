import type { TemplateSource } from "../../template.js";
import { templatesOf } from "../shared/of.js";
import { author, description, license, projectName } from "../shared/parameters.js";
import { about, PACKAGE_HEAD, PACKAGE_PARAMETERS } from "../shared/typescript.js";
import { PACK_SOURCE, PACK_TEST, SERVER_SOURCE, SERVER_TEST } from "./mcp-sources.js";

const template = templatesOf("node-ts");

/** What both kinds of packages end with; the engine is the one thing that they run on. */
const manifestEnd = (scripts: string): string => `  "engines": {
    "node": ">=20.19"
  },
  "scripts": {
    "build": "tsc",
${scripts}
    "test": "tsc && node --test dist/*.test.js"
  },
  "dependencies": {
    "@toolwright/engine": "^0.1.0"
  },
  "devDependencies": {
    "@types/node": "^20.19.0",
    "toolwright": "^0.1.0",
    "typescript": "^7.0.0"
  }
}
`;

const SHIPPED = `  "files": [
    "dist",
    "!dist/**/*.test.*"
  ],
`;

const TOP = `# {{ project_name }}
{%- if description != "" %}

{{ description }}
{%- endif %}

`;

const END = `
## License

{{ license }}
{% if author != "" %}
## Author

{{ author }}
{% endif %}`;

const SERVER_README = `${TOP}An [MCP](https://modelcontextprotocol.io) server: a tool, a resource and a prompt, in \`src/server.ts\`.

## Development

\`\`\`sh
npm install
npm test
npm run dev
\`\`\`

\`npm run dev\` serves stdin and stdout, and swaps the code each time you save; a client that starts it stays connected. To have that in
a client which reads \`.mcp.json\`:

\`\`\`json
{ "mcpServers": { "{{ project_name | kebab }}": { "command": "npx", "args": ["toolwright", "dev", "src/server.ts"] } } }
\`\`\`

Call it from the shell:

\`\`\`sh
npx toolwright call greet name=Ada -- node dist/server.js
\`\`\`

## Use

\`\`\`sh
npm run build
node dist/server.js
\`\`\`
${END}`;

const PACK_README = `${TOP}A pack of tools for [toolwright](https://www.npmjs.com/package/toolwright), in \`src/index.ts\`.

## Development

\`\`\`sh
npm install
npm test
\`\`\`

## Use

\`\`\`sh
npm run build
npx toolwright serve --pack dist/index.js
\`\`\`

Its settings stand under \`packs.{{ project_name | kebab }}\`, in a configuration file or on the command line:

\`\`\`sh
npx toolwright serve --pack dist/index.js --set 'packs.{{ project_name | kebab }}={"greeting":"Good day"}'
\`\`\`

A configuration file may name the pack too, as \`packModules\`; it is loaded where the file was given with \`--config\`, never from a
file that merely lies in a folder.
${END}`;

const README_PARAMETERS = [projectName, description, license, author];

/** Everything for an MCP server, and for a pack, on the engine of this project. */
export const mcpTemplates: readonly TemplateSource[] = [
  template("manifest", "mcp-server", {
    description: "Manifest for npm of an MCP server in TypeScript.",
    filename: "package.json",
    parameters: PACKAGE_PARAMETERS,
    body:
      PACKAGE_HEAD +
      `  "bin": {\n    "{{ project_name | kebab }}": "./dist/server.js"\n  },\n${SHIPPED}` +
      manifestEnd('    "dev": "toolwright dev src/server.ts",\n    "start": "node dist/server.js",'),
  }),
  template("manifest", "mcp-pack", {
    description: "Manifest for npm of a pack of MCP tools in TypeScript.",
    filename: "package.json",
    parameters: PACKAGE_PARAMETERS,
    body:
      PACKAGE_HEAD +
      `  "exports": {
    ".": {
      "types": "./dist/index.d.ts",
      "default": "./dist/index.js"
    }
  },
${SHIPPED}` +
      manifestEnd('    "start": "tsc && toolwright serve --pack dist/index.js",'),
  }),
  template("readme", "mcp-server", {
    description: "README of an MCP server in TypeScript.",
    filename: "README.md",
    parameters: README_PARAMETERS,
    body: SERVER_README,
  }),
  template("readme", "mcp-pack", {
    description: "README of a pack of MCP tools in TypeScript.",
    filename: "README.md",
    parameters: README_PARAMETERS,
    body: PACK_README,
  }),
  template("source", "mcp-server", {
    description: "First code of an MCP server in TypeScript, with a tool, a resource and a prompt.",
    filename: "src/server.ts",
    parameters: [projectName, description],
    body: `#!/usr/bin/env node\n/** ${about("MCP server")} */\n${SERVER_SOURCE}`,
  }),
  template("source", "mcp-pack", {
    description: "First code of a pack of MCP tools in TypeScript, with settings and a tool.",
    filename: "src/index.ts",
    parameters: [projectName, description],
    body: `/** ${about("pack")} */\n${PACK_SOURCE}`,
  }),
  template("test", "mcp-server", {
    description: "First tests of an MCP server in TypeScript.",
    filename: "src/server.test.ts",
    parameters: [],
    body: SERVER_TEST,
  }),
  template("test", "mcp-pack", {
    description: "First tests of a pack of MCP tools in TypeScript.",
    filename: "src/index.test.ts",
    parameters: [],
    body: PACK_TEST,
  }),
];
