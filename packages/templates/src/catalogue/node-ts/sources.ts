import type { TemplateSource } from "../../template.js";
import { templatesOf } from "../shared/of.js";
import { description, port, projectName } from "../shared/parameters.js";
import { ANSWER_SOURCE, about, LIBRARY_SOURCE } from "../shared/typescript.js";

const template = templatesOf("node-ts");

const PROGRAM = `#!/usr/bin/env node
/** ${about("program")} */
import { realpathSync } from "node:fs";
import { parseArgs } from "node:util";

const USAGE = "Usage: {{ project_name | kebab }} [--help] [NAME...]";

${LIBRARY_SOURCE}
/** What the program prints: a greeting for everybody who is named, or for the world. */
export function run(args: readonly string[]): string {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { help: { type: "boolean", short: "h", default: false } },
  });
  if (values.help) return USAGE;
  const names = positionals.length === 0 ? ["world"] : positionals;
  return names.map(greet).join("\\n");
}

function main(): void {
  try {
    process.stdout.write(\`\${run(process.argv.slice(2))}\\n\`);
  } catch (error) {
    process.stderr.write(\`\${error instanceof Error ? error.message : String(error)}\\n\${USAGE}\\n\`);
    process.exitCode = 2;
  }
}

// Tests import this file; npm starts it through a link.
const started = process.argv[1];
if (started !== undefined && realpathSync(started) === import.meta.filename) main();
`;

const SERVER = `/** ${about("server")} */
import { realpathSync } from "node:fs";
import { createServer, type Server } from "node:http";

${ANSWER_SOURCE}
/** Makes a server that does not listen yet. */
export function create(): Server {
  return createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    const { status, body } = answer(request.method ?? "GET", pathname);
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify(body));
  });
}

function main(): void {
  const host = process.env["HOST"] ?? "127.0.0.1";
  const port = Number(process.env["PORT"] ?? {{ port }});
  const server = create();
  server.listen(port, host, () => process.stdout.write(\`listening on \${host}:\${port}\\n\`));
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => server.close());
  }
}

// Tests import this file.
const started = process.argv[1];
if (started !== undefined && realpathSync(started) === import.meta.filename) main();
`;

const TEST = `import assert from "node:assert/strict";
import { test } from "node:test";
import { greet, run } from "./main.js";

test("greets by name", () => {
  assert.equal(greet("Ada"), "Hello, Ada!");
});

test("greets the world when nobody is named", () => {
  assert.equal(run([]), "Hello, world!");
});

test("refuses an unknown option", () => {
  assert.throws(() => run(["--loud"]), /loud/);
});
`;

const LIBRARY_TEST = `import assert from "node:assert/strict";
import { test } from "node:test";
import { greet } from "./index.js";

test("greets by name", () => {
  assert.equal(greet("Ada"), "Hello, Ada!");
});
`;

const SERVER_TEST = `import assert from "node:assert/strict";
import { test } from "node:test";
import { answer, create } from "./main.js";

test("says over HTTP that it is well", async () => {
  const server = create();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  assert.ok(address !== null && typeof address === "object");
  const response = await fetch(\`http://127.0.0.1:\${address.port}/healthz\`);
  assert.deepEqual(await response.json(), { status: "ok" });
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

test("refuses what it does not know", () => {
  assert.equal(answer("GET", "/nowhere").status, 404);
  assert.equal(answer("POST", "/").status, 405);
});
`;

/** The first code of a Node project. */
export const sources: readonly TemplateSource[] = [
  template("source", "cli", {
    description: "First code of a Node program in TypeScript.",
    filename: "src/main.ts",
    parameters: [projectName, description],
    body: PROGRAM,
  }),
  template("source", "lib", {
    description: "First code of a Node library in TypeScript.",
    filename: "src/index.ts",
    parameters: [projectName, description],
    body: `/** ${about("library")} */\n\n${LIBRARY_SOURCE}`,
  }),
  template("source", "service", {
    description: "First code of a Node server in TypeScript that answers HTTP.",
    filename: "src/main.ts",
    parameters: [projectName, description, port],
    body: SERVER,
  }),
  template("test", "cli", {
    description: "First tests of a Node program in TypeScript.",
    filename: "src/main.test.ts",
    parameters: [],
    body: TEST,
  }),
  template("test", "lib", {
    description: "First tests of a Node library in TypeScript.",
    filename: "src/index.test.ts",
    parameters: [],
    body: LIBRARY_TEST,
  }),
  template("test", "service", {
    description: "First tests of a Node server in TypeScript.",
    filename: "src/main.test.ts",
    parameters: [],
    body: SERVER_TEST,
  }),
];
