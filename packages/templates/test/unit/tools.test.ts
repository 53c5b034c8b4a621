import type { JsonObject } from "@toolwright/engine";
import { describe, expect, test } from "vitest";
import { loadCatalogue } from "../../src/context.js";
import { openTestServer } from "../kit.js";
import { makefile } from "../samples.js";

const MAKEFILE = "template://makefile/rust/cli";

describe("generate_template", () => {
  test("returns the file, its path, its checksum and the defaults that it used", async () => {
    const { call } = await openTestServer();
    const made = await call("generate_template", { resource_uri: MAKEFILE, parameters: { project_name: "demo" } });
    expect(made).toEqual({
      uri: MAKEFILE,
      filename: "Makefile",
      path: "demo/Makefile",
      content: "# demo\nbuild:\n\tcargo build\n\ntest:\n\tcargo test\n",
      checksum: "f5628c7bf131c84321d2e78d7569785c07248272d90f609cc724ca4d570f77c8",
      mimeType: "text/x-makefile",
      toolchain: "rust",
      used_defaults: { has_tests: true, features: [], profile: "debug" },
    });
  });

  test("keeps the double curly braces of workflows, and renders paths", async () => {
    const { call } = await openTestServer();
    const uri = "template://ci-github/rust/default";
    const made = await call("generate_template", { resource_uri: uri, parameters: { project_name: "MyTool" } });
    expect(made["path"]).toBe("MyTool/.github/workflows/my-tool.yml");
    expect(made["content"]).toBe('name: "MyTool"\nrun: echo ${{ github.ref }}\n');
  });

  test("uses the time of its clock", async () => {
    const { call } = await openTestServer();
    const uri = "template://readme/any/default";
    const made = await call("generate_template", { resource_uri: uri, parameters: { project_name: "demo" } });
    expect(made["content"]).toBe("# Demo\n\nMade in 2031.\n");
  });

  test("rejects printing an unset variable, unless strict is false", async () => {
    const { call, fail } = await openTestServer();
    const args = { resource_uri: "template://script/deno/cli", parameters: { project_name: "demo" } };
    const failed = await fail("generate_template", args);
    expect(failed.code).toBe("INVALID_ARGUMENTS");
    expect(failed.text).toContain("note is required here: Printed at the start.");
    const made = await call("generate_template", { ...args, strict: false });
    expect(made).toMatchObject({ content: "#!/bin/sh\necho ''\n", mode: "755" });
  });

  test("ignores unknown parameters if strict is false", async () => {
    const { call, fail } = await openTestServer();
    const args = { resource_uri: MAKEFILE, parameters: { project_name: "demo", color: "red" } };
    expect((await fail("generate_template", args)).text).toContain("color is not a parameter of the template");
    expect((await call("generate_template", { ...args, strict: false }))["filename"]).toBe("Makefile");
  });
});

test("a cursor of another tool is rejected", async () => {
  const { fail } = await openTestServer();
  expect((await fail("list_templates", { cursor: "x1" })).text).toBe(
    'Invalid cursor "x1": use next_cursor of the previous page with the same arguments, or start without one.',
  );
});

test("generate_template without parameters explains them instead of suggesting a call that would fail as well", async () => {
  const { fail } = await openTestServer();
  const { text } = await fail("generate_template", { resource_uri: MAKEFILE });
  expect(text).toBe(
    '"parameters" is required: an object with the parameters of the template, such as {"project_name":"demo"}. The error for a missing parameter names it.',
  );
});

describe("project_name", () => {
  const plain = { category: "a", toolchain: "go", variant: "cli", description: "x", parameters: [], body: "" };
  const catalogue = [{ ...plain, filename: "file" }];
  const resource_uri = "template://a/go/cli";

  test("names the folder for every template, also for one without that parameter", async () => {
    const { call } = await openTestServer({ catalogue });
    const made = await call("generate_template", { resource_uri, parameters: { project_name: "demo" } });
    expect(made["path"]).toBe("demo/file");
  });

  test.each([
    ["../x", "project_name cannot be the name of a folder"],
    [5, "project_name must be a string"],
  ])("%j is refused there as everywhere", async (project_name, said) => {
    const { fail } = await openTestServer({ catalogue });
    const failed = await fail("generate_template", { resource_uri, parameters: { project_name } });
    expect([failed.code, failed.text]).toEqual(["INVALID_ARGUMENTS", expect.stringContaining(said)]);
  });
});

describe("errors", () => {
  test("a malformed URI, an unknown template and invalid parameters have codes of their own and suggestions", async () => {
    const { fail } = await openTestServer();
    const generate = (resource_uri: string, parameters = {}) => fail("generate_template", { resource_uri, parameters });
    const malformed = await generate("template://makefile/rust");
    expect([malformed.code, malformed.details["expected"]]).toEqual([
      "INVALID_TEMPLATE_URI",
      "template://{category}/{toolchain}/{variant}",
    ]);
    const unknown = await generate("template://makefile/rust/clii");
    expect([unknown.code, unknown.details["suggestion"]]).toEqual(["TEMPLATE_NOT_FOUND", MAKEFILE]);
    const wrong = await generate(MAKEFILE, { project_name: "demo", profile: "relase" });
    expect(wrong.code).toBe("INVALID_ARGUMENTS");
    expect(wrong.text).toContain('profile cannot be "relase"; did you mean "release"?');
  });

  const errors = {
    TEMPLATE_NOT_FOUND: { code: -32000 },
    RESOURCE_NOT_FOUND: { code: -32000 },
    INVALID_TEMPLATE_URI: { code: -32001 },
    INVALID_ARGUMENTS: { code: -32002 },
  };

  test("have codes of their own with compat.errors", async () => {
    const { client } = await openTestServer({ revision: "2024-11-05", server: { compat: { errors } } });
    const codeOf = async (resource_uri: string, parameters = {}): Promise<unknown> => {
      const answer = await client.callTool("generate_template", { resource_uri, parameters }).catch((error) => error);
      return (answer as { code?: unknown }).code;
    };
    expect(await codeOf("template://makefile/rust/nothing")).toBe(-32000);
    expect(await codeOf("makefile")).toBe(-32001);
    expect(await codeOf(MAKEFILE)).toBe(-32002);
  });

  test("of resources have these codes, too, for clients of old revisions", async () => {
    const codeOf = async (revision: "2024-11-05" | "2026-07-28", method: string, uri: string): Promise<unknown> => {
      const { client } = await openTestServer({ revision, server: { compat: { errors }, dynamic: true } });
      const answer = await client.request(method, { uri }).catch((error) => error);
      return (answer as { code?: unknown }).code;
    };
    expect(await codeOf("2024-11-05", "resources/read", "template://makefile/rust/nothing")).toBe(-32000);
    expect(await codeOf("2024-11-05", "resources/read", "template://makefile/rust")).toBe(-32000);
    expect(await codeOf("2024-11-05", "resources/subscribe", "template://makefile/rust")).toBe(-32000);
    expect(await codeOf("2026-07-28", "resources/read", "template://makefile/rust/nothing")).toBe(-32602);
  });

  test.each([
    "template://../../etc/passwd",
    "template://makefile/../rust",
    "template://makefile/rust/cli/../cli",
    "template://makefile/rust/cli?x",
    "template://Makefile/rust/cli",
    "template://makefile//cli",
    "template://makefile%2f/rust/cli",
    "file:///etc/passwd",
    "template://makefile/rust/cli\n",
  ])("%j is no URI of a template", async (resource_uri) => {
    const { fail } = await openTestServer();
    expect((await fail("generate_template", { resource_uri, parameters: {} })).code).toBe("INVALID_TEMPLATE_URI");
  });
});

describe("validate_template", () => {
  test("returns all errors at once", async () => {
    const { call } = await openTestServer();
    const parameters = { has_tests: "yes", jobs: 100, features: ["ok", "NO"], profil: "debug" };
    const said = await call("validate_template", { resource_uri: MAKEFILE, parameters });
    expect(said).toEqual({
      valid: false,
      errors: [
        {
          field: "project_name",
          message: "is required: The name of the project.",
          expected: "a string that matches ^[A-Za-z][A-Za-z0-9_-]*$",
        },
        { field: "has_tests", message: "must be true or false", expected: "true or false" },
        {
          field: "features",
          message: "item 2 must match ^[a-z-]+$",
          expected: "an array of strings that match ^[a-z-]+$",
        },
        { field: "jobs", message: "must be at most 64", expected: "an integer" },
        {
          field: "profil",
          message: "is unknown; did you mean profile?",
          allowed: ["project_name", "has_tests", "features", "profile", "jobs"],
        },
      ],
      missing_required: ["project_name"],
      unknown: ["profil"],
      uri: MAKEFILE,
    });
  });

  test("returns errors of the folder name and of array items, too", async () => {
    const { call } = await openTestServer();
    const parameters = { project_name: "con", has_tests: "x", features: [1, "ok", "NO"] };
    const { errors } = await call("validate_template", { resource_uri: MAKEFILE, parameters });
    expect((errors as { field: string; message: string }[]).map(({ field, message }) => `${field} ${message}`)).toEqual(
      [
        "has_tests must be true or false",
        "features item 1 must be a string, item 3 must match ^[a-z-]+$",
        "project_name cannot be the name of a folder: a name is reserved on Windows",
      ],
    );
  });

  test("names only the first invalid items of an array", async () => {
    const { call } = await openTestServer();
    const parameters = { project_name: "demo", features: Array.from({ length: 9 }, () => 1) };
    const { errors } = await call("validate_template", { resource_uri: MAKEFILE, parameters });
    expect((errors as { message: string }[])[0]?.message.split(", ")).toHaveLength(5);
  });

  test("returns no errors if the template renders, and the error if it does not", async () => {
    const { call } = await openTestServer();
    const good = await call("validate_template", { resource_uri: MAKEFILE, parameters: { project_name: "demo" } });
    expect(good).toEqual({ valid: true, errors: [], missing_required: [], unknown: [], uri: MAKEFILE });
    const uri = "template://script/deno/cli";
    const unset = await call("validate_template", { resource_uri: uri, parameters: { project_name: "demo" } });
    expect(unset).toMatchObject({ valid: false, errors: [{ field: "note" }] });
  });
});

describe("list_templates", () => {
  test("lists by toolchain, category and variant, with parameter names", async () => {
    const { call } = await openTestServer();
    const { templates, count } = await call("list_templates");
    expect(count).toBe(4);
    expect((templates as { uri: string }[]).map(({ uri }) => uri)).toEqual([
      "template://ci-github/rust/default",
      "template://makefile/rust/cli",
      "template://script/deno/cli",
      "template://readme/any/default",
    ]);
    expect((templates as unknown[])[1]).toEqual({
      uri: MAKEFILE,
      name: "Rust CLI Makefile",
      description: "Builds and tests with cargo.",
      category: "makefile",
      toolchain: "rust",
      variant: "cli",
      parameters: [
        { name: "project_name", required: true },
        { name: "has_tests" },
        { name: "features" },
        { name: "profile" },
        { name: "jobs" },
      ],
    });
  });

  test("returns more of each template with a filter, and in a search", async () => {
    const { call } = await openTestServer();
    const [listed] = (await call("list_templates", { category: "makefile" }))["templates"] as object[];
    const [found] = (await call("search_templates", { query: "makefile" }))["results"] as object[];
    const full = {
      filename: "Makefile",
      origin: "catalogue",
      parameters: [
        { name: "project_name", type: "string", required: true },
        { name: "has_tests", type: "boolean", required: false, default: true },
        { name: "features", type: "array", required: false, default: [] },
        { name: "profile", type: "string", required: false, default: "debug" },
        { name: "jobs", type: "integer", required: false },
      ],
    };
    expect(listed).toMatchObject(full);
    expect(found).toMatchObject(full);
  });

  test("lists the whole catalogue in one result", async () => {
    const { call } = await openTestServer({ catalogue: await loadCatalogue() });
    const { templates, count, next_cursor: next } = await call("list_templates");
    expect(count).toBeGreaterThan(100);
    expect([(templates as unknown[]).length, next]).toEqual([count, undefined]);
  });

  test("combines its filters; without a match it returns an empty list and a hint", async () => {
    const { call } = await openTestServer();
    expect((await call("list_templates", { toolchain: "rust", category: "makefile" }))["count"]).toBe(1);
    expect((await call("list_templates", { toolchain: "deno", category: "makefile" }))["count"]).toBe(0);
    expect(await call("list_templates", { toolchain: "rsut" })).toEqual({
      templates: [],
      count: 0,
      hint: 'There is no toolchain "rsut"; did you mean rust?',
    });
  });

  test("returns the schema of the parameters with details", async () => {
    const { call } = await openTestServer();
    const { templates } = await call("list_templates", { category: "makefile", details: true });
    expect((templates as { schema: object }[])[0]?.schema).toMatchObject({
      type: "object",
      required: ["project_name"],
      additionalProperties: false,
      properties: {
        jobs: { type: "integer", minimum: 1, maximum: 64 },
        profile: { type: "string", enum: ["debug", "release"], default: "debug" },
        features: { type: "array", items: { type: "string", pattern: "^[a-z-]+$" }, default: [] },
      },
    });
  });

  test("returns pages that fit a result", async () => {
    const catalogue = Array.from({ length: 300 }, (_, at) => ({ ...makefile, variant: `v${at}` }));
    const { call } = await openTestServer({ catalogue });
    const seen = new Set<string>();
    for (let cursor: string | undefined = "0"; cursor !== undefined; ) {
      const page: JsonObject = await call("list_templates", { cursor });
      expect(JSON.stringify(page).length).toBeLessThan(60_000);
      for (const { uri } of page["templates"] as { uri: string }[]) seen.add(uri);
      cursor = page["next_cursor"] as string | undefined;
    }
    expect(seen.size).toBe(300);
  });
});
