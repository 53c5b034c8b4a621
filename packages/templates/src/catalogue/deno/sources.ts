import type { TemplateSource } from "../../template.js";
import { templatesOf } from "../shared/of.js";
import { description, port, projectName } from "../shared/parameters.js";
import { entryPoint } from "./toolchain.js";

const template = templatesOf("deno");

const PROGRAM = `/** {% if description != "" %}{{ description | replace: "*/", "* /" }}{% else %}The program {{ project_name | kebab }}.{% endif %} */

/** Greets somebody. */
export function greet(name: string): string {
  return \`Hello, \${name}!\`;
}

/** What the program prints: a greeting for everybody who is named, or for the world. */
export function run(names: readonly string[]): string {
  return (names.length === 0 ? ["world"] : names).map(greet).join("\\n");
}

if (import.meta.main) {
  await Deno.stdout.write(new TextEncoder().encode(\`\${run(Deno.args)}\\n\`));
}
`;

const LIBRARY = `/**
 * {% if description != "" %}{{ description | replace: "*/", "* /" }}{% else %}The library {{ project_name | kebab }}.{% endif %}
 *
 * @module
 */

/** Greets somebody. */
export function greet(name: string): string {
  return \`Hello, \${name}!\`;
}
`;

const SERVER = `/** {% if description != "" %}{{ description | replace: "*/", "* /" }}{% else %}The server {{ project_name | kebab }}.{% endif %} */

/** Answers a request. */
export function answer(request: Request): Response {
  const { pathname } = new URL(request.url);
  if (request.method !== "GET") {
    return Response.json({ error: "method not allowed" }, { status: 405 });
  }
  if (pathname === "/") return Response.json({ message: "Hello, world!" });
  if (pathname === "/healthz") return Response.json({ status: "ok" });
  return Response.json({ error: "not found" }, { status: 404 });
}

if (import.meta.main) {
  const port = Number(Deno.env.get("PORT") ?? {{ port }});
  const server = Deno.serve({ port }, answer);
  Deno.addSignalListener("SIGINT", () => void server.shutdown());
}
`;

const TEST = `import { assertEquals } from "@std/assert";
import { greet, run } from "./{{ entry_point }}";

Deno.test("greets by name", () => {
  assertEquals(greet("Ada"), "Hello, Ada!");
});

Deno.test("greets the world when nobody is named", () => {
  assertEquals(run([]), "Hello, world!");
});
`;

const LIBRARY_TEST = `import { assertEquals } from "@std/assert";
import { greet } from "./mod.ts";

Deno.test("greets by name", () => {
  assertEquals(greet("Ada"), "Hello, Ada!");
});
`;

const SERVER_TEST = `import { assertEquals } from "@std/assert";
import { answer } from "./{{ entry_point }}";

const ask = (path: string, method = "GET"): number =>
  answer(new Request(\`http://localhost\${path}\`, { method })).status;

Deno.test("says that it is well", () => {
  assertEquals(ask("/healthz"), 200);
});

Deno.test("refuses what it does not know", () => {
  assertEquals(ask("/nowhere"), 404);
  assertEquals(ask("/", "POST"), 405);
});
`;

/** The first code of a Deno project. */
export const sources: readonly TemplateSource[] = [
  template("source", "cli", {
    description: "First code of a Deno program.",
    filename: "{{ entry_point }}",
    parameters: [projectName, description, entryPoint],
    body: PROGRAM,
  }),
  template("source", "lib", {
    description: "First code of a Deno library.",
    filename: "mod.ts",
    parameters: [projectName, description],
    body: LIBRARY,
  }),
  template("source", "service", {
    description: "First code of a Deno server that answers HTTP.",
    filename: "{{ entry_point }}",
    parameters: [projectName, description, entryPoint, port],
    body: SERVER,
  }),
  template("test", "cli", {
    description: "First tests of a Deno program.",
    filename: "main_test.ts",
    parameters: [entryPoint],
    body: TEST,
  }),
  template("test", "lib", {
    description: "First tests of a Deno library.",
    filename: "mod_test.ts",
    parameters: [],
    body: LIBRARY_TEST,
  }),
  template("test", "service", {
    description: "First tests of a Deno server.",
    filename: "main_test.ts",
    parameters: [entryPoint],
    body: SERVER_TEST,
  }),
];
