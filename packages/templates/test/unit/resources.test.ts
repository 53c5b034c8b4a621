import type { JsonObject } from "@toolwright/engine";
import { describe, expect, test } from "vitest";
import { loadCatalogue } from "../../src/context.js";
import { openTestServer } from "../kit.js";
import { makefile } from "../samples.js";

describe("template:// resources", () => {
  test("are listed and read as source text, with the schema of their parameters", async () => {
    const { client } = await openTestServer();
    const { resources } = await client.request("resources/list");
    expect((resources as JsonObject[])[1]).toEqual({
      uri: "template://makefile/rust/cli",
      name: "Rust CLI Makefile",
      description: "Builds and tests with cargo.",
      mimeType: "text/x-makefile",
    });
    const { contents } = await client.request("resources/read", { uri: "template://makefile/rust/cli" });
    expect(contents).toMatchObject([
      {
        uri: "template://makefile/rust/cli",
        mimeType: "text/x-makefile",
        text: makefile.body,
        _meta: { "toolwright/parameters": { required: ["project_name"] } },
      },
    ]);
    const { resourceTemplates } = await client.request("resources/templates/list");
    expect((resourceTemplates as JsonObject[])[0]).toMatchObject({
      uriTemplate: "template://{category}/{toolchain}/{variant}",
    });
  });

  test("that do not exist are protocol errors", async () => {
    const { client } = await openTestServer();
    await expect(client.request("resources/read", { uri: "template://makefile/rust/no" })).rejects.toMatchObject({
      code: -32602,
    });
  });

  test("are completed part by part", async () => {
    const { client } = await openTestServer();
    const complete = async (name: string, value: string, others: JsonObject = {}): Promise<unknown> => {
      const { completion } = await client.request("completion/complete", {
        ref: { type: "ref/resource", uri: "template://{category}/{toolchain}/{variant}" },
        argument: { name, value },
        context: { arguments: others },
      });
      return (completion as JsonObject)["values"];
    };
    expect(await complete("category", "")).toEqual(["ci-github", "makefile", "script", "readme"]);
    expect(await complete("toolchain", "r", { category: "makefile" })).toEqual(["rust"]);
    expect(await complete("variant", "", { category: "ci-github", toolchain: "rust" })).toEqual(["default"]);
    expect(await complete("toolchain", "x")).toEqual([]);
  });
});

describe("prompts", () => {
  test("there is one for each toolchain, with the arguments of the source document", async () => {
    const { client } = await openTestServer();
    const { prompts } = await client.request("prompts/list");
    const shown = (prompts as { name: string; arguments: { name: string; required?: boolean }[] }[]).map(
      (one) => `${one.name}(${one.arguments.map((each) => each.name + (each.required ? "*" : "")).join(", ")})`,
    );
    expect(shown).toEqual([
      "scaffold-rust-project(project_name*, project_type*, has_tests, has_benchmarks)",
      "scaffold-deno-project(project_name*, project_type*, permissions)",
      "scaffold-python-project(project_name*, project_type*, python_version)",
      "scaffold-node-ts-project(project_name*, project_type*)",
      "scaffold-bun-project(project_name*, project_type*)",
      "scaffold-go-project(project_name*, project_type*)",
      "scaffold-java-project(project_name*, project_type*)",
      "scaffold-dotnet-project(project_name*, project_type*)",
    ]);
  });

  test("return a message with a call that has known parameters only", async () => {
    const { client } = await openTestServer();
    const { messages } = await client.request("prompts/get", {
      name: "scaffold-rust-project",
      arguments: { project_name: "demo", project_type: "cli", has_tests: "false", has_benchmarks: "true" },
    });
    const [{ role, content } = { role: "", content: { text: "" } }] = messages as {
      role: string;
      content: { text: string };
    }[];
    expect(role).toBe("user");
    expect(content.text).toContain(
      'scaffold_project with {"toolchain":"rust","templates":["ci-github","makefile","readme"],"variant":"cli","parameters":{"project_name":"demo","has_tests":false}}',
    );
  });

  test.each(["../x", "a/b", "two words"])("reject an invalid project name: %s", async (name) => {
    const { client } = await openTestServer({ catalogue: await loadCatalogue() });
    const get = client.request("prompts/get", {
      name: "scaffold-rust-project",
      arguments: { project_name: name, project_type: "cli" },
    });
    await expect(get).rejects.toMatchObject({ code: -32602, message: expect.stringContaining("project_name") });
  });

  test("reject an unknown type of project", async () => {
    const { client } = await openTestServer();
    const get = client.request("prompts/get", {
      name: "scaffold-go-project",
      arguments: { project_name: "demo", project_type: "game" },
    });
    await expect(get).rejects.toMatchObject({ code: -32602 });
  });
});

test("every tool says whether it reads or overwrites", async () => {
  const { client } = await openTestServer({ server: { largeResults: false } });
  const tools = (await client.listTools()) as unknown as { name: string; annotations: JsonObject }[];
  const read = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };
  const overwrite = { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false };
  expect(Object.fromEntries(tools.map(({ name, annotations }) => [name, annotations]))).toEqual({
    list_templates: read,
    generate_template: read,
    search_templates: read,
    validate_template: read,
    scaffold_project: overwrite,
    update_project: overwrite,
  });
});

test("every property of every tool has a description", async () => {
  const { client } = await openTestServer({ server: { largeResults: false } });
  const tools = (await client.listTools()) as unknown as { name: string; inputSchema: JsonObject }[];
  for (const { name, inputSchema } of tools)
    for (const [property, schema] of Object.entries(inputSchema["properties"] as Record<string, JsonObject>))
      expect(schema["description"], `${name}.${property}`).toMatch(/.{10}/);
});

test.each([
  ["generate_template", { resources: 4, prompts: 0 }],
  ["scaffold_project", { resources: 0, prompts: 8 }],
  ["list_templates", { resources: 0, prompts: 0 }],
])("with only %s, resources and prompts that need other tools are not offered", async (only, counts) => {
  const { client } = await openTestServer({ server: { toolOptions: { filter: { tools: [only] } } } });
  const [resources, prompts] = [await client.request("resources/list", {}), await client.request("prompts/list", {})];
  expect({ resources: (resources["resources"] as []).length, prompts: (prompts["prompts"] as []).length }).toEqual(
    counts,
  );
});
