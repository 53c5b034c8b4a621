import type { TemplateSource } from "../../template.js";
import { templatesOf } from "../shared/of.js";
import { description, port, projectName } from "../shared/parameters.js";
import { ANSWER_SOURCE, about, LIBRARY_SOURCE } from "../shared/typescript.js";

const template = templatesOf("bun");

const PROGRAM = `#!/usr/bin/env bun
/** ${about("program")} */

${LIBRARY_SOURCE}
/** What the program prints: a greeting for everybody who is named, or for the world. */
export function run(names: readonly string[]): string {
  return (names.length === 0 ? ["world"] : names).map(greet).join("\\n");
}

if (import.meta.main) await Bun.write(Bun.stdout, \`\${run(Bun.argv.slice(2))}\\n\`);
`;

const SERVER = `/** ${about("server")} */

${ANSWER_SOURCE}
if (import.meta.main) {
  const server = Bun.serve({
    hostname: Bun.env["HOST"] ?? "127.0.0.1",
    port: Number(Bun.env["PORT"] ?? {{ port }}),
    fetch(request) {
      const { status, body } = answer(request.method, new URL(request.url).pathname);
      return Response.json(body, { status });
    },
  });
  await Bun.write(Bun.stdout, \`listening on \${server.url.href}\\n\`);
}
`;

const test = (imported: string, file: string, facts: string): string =>
  `import { expect, test } from "bun:test";\nimport { ${imported} } from "./${file}";\n\n${facts}`;

const GREETS = `test("greets by name", () => {
  expect(greet("Ada")).toBe("Hello, Ada!");
});
`;

const GREETS_THE_WORLD = `
test("greets the world when nobody is named", () => {
  expect(run([])).toBe("Hello, world!");
});
`;

const ANSWERS = `test("says that it is well", () => {
  expect(answer("GET", "/healthz")).toEqual({ status: 200, body: { status: "ok" } });
});

test("refuses what it does not know", () => {
  expect(answer("GET", "/nowhere").status).toBe(404);
  expect(answer("POST", "/").status).toBe(405);
});
`;

/** The first code of a Bun project. */
export const sources: readonly TemplateSource[] = [
  template("source", "cli", {
    description: "First code of a Bun program.",
    filename: "src/main.ts",
    parameters: [projectName, description],
    body: PROGRAM,
  }),
  template("source", "lib", {
    description: "First code of a Bun library.",
    filename: "src/index.ts",
    parameters: [projectName, description],
    body: `/** ${about("library")} */\n\n${LIBRARY_SOURCE}`,
  }),
  template("source", "service", {
    description: "First code of a Bun server that answers HTTP.",
    filename: "src/main.ts",
    parameters: [projectName, description, port],
    body: SERVER,
  }),
  template("test", "cli", {
    description: "First tests of a Bun program.",
    filename: "src/main.test.ts",
    parameters: [],
    body: test("greet, run", "main.ts", GREETS + GREETS_THE_WORLD),
  }),
  template("test", "lib", {
    description: "First tests of a Bun library.",
    filename: "src/index.test.ts",
    parameters: [],
    body: test("greet", "index.ts", GREETS),
  }),
  template("test", "service", {
    description: "First tests of a Bun server.",
    filename: "src/main.test.ts",
    parameters: [],
    body: test("answer", "main.ts", ANSWERS),
  }),
];
