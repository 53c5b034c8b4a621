import { describe, expect, onTestFinished, test } from "vitest";
import type { Failed } from "../../../../tests/support/tool-calls.js";
import type { TemplateParameter, TemplateSource } from "../../src/format/template.js";
import { Renderer } from "../../src/rendering/renderer.js";
import { Sandbox } from "../../src/rendering/sandbox.js";
import { makeFolder, NOW, openTestServer, putFile } from "../kit.js";

const text = (name: string, required = true): TemplateParameter => ({
  name,
  type: "string",
  description: "x",
  required,
});
const template = (body: string, more: Partial<TemplateSource> = {}): TemplateSource => ({
  category: "a",
  toolchain: "go",
  variant: "cli",
  description: "x",
  filename: "file",
  parameters: [text("value", false), { name: "list", type: "array", description: "x" }],
  body,
  ...more,
});

async function failing(source: TemplateSource, parameters = {}): Promise<Failed> {
  const { fail } = await openTestServer({ catalogue: [source] });
  return fail("generate_template", { resource_uri: "template://a/go/cli", parameters });
}

async function printed(source: TemplateSource, parameters = {}): Promise<unknown> {
  const { call } = await openTestServer({ catalogue: [source] });
  return (await call("generate_template", { resource_uri: "template://a/go/cli", parameters, strict: false }))[
    "content"
  ];
}

describe("a template that exceeds a limit is stopped", () => {
  test.each([
    ["a long range", "{% for i in (1..100000000) %}x{% endfor %}"],
    [
      "loops in loops",
      "{% for i in (1..9000) %}{% for j in (1..9000) %}{% for k in (1..9000) %}{% endfor %}{% endfor %}{% endfor %}",
    ],
    [
      "a text that doubles",
      "{% assign x = 'aaaaaaaa' %}{% for i in (1..64) %}{% assign x = x | append: x %}{% endfor %}",
    ],
    [
      "a capture that doubles",
      "{% capture x %}aaaa{% endcapture %}{% for i in (1..64) %}{% capture x %}{{ x }}{{ x }}{% endcapture %}{% endfor %}",
    ],
    ["a long print", `{% for i in (1..9000) %}${"x".repeat(5000)}{% endfor %}`],
    [
      "a replacement that grows",
      "{% assign x = 'aaaaaaaa' %}{% for i in (1..64) %}{% assign x = x | replace: 'a', 'aaaaaaaa' %}{% endfor %}",
    ],
    [
      "a list that doubles",
      "{% assign x = 'a,b' | split: ',' %}{% for i in (1..64) %}{% assign x = x | concat: x %}{% endfor %}",
    ],
    ["quotes around quotes", `{{ "'"${" | shell".repeat(14)} | size }}`],
    ["a literal of a literal", `{{ '"'${" | json".repeat(20)} | size }}`],
  ])("%s", async (_, body) => {
    const { code, text: said } = await failing(template(body));
    expect(code).toBe("TOO_LARGE");
    expect(said).toContain("template://a/go/cli cannot be rendered: it exceeds a limit");
  });

  test("conditions that go too deep", async () => {
    const deep = "{% if true %}".repeat(2500) + "{% endif %}".repeat(2500);
    const { code } = await failing(template(deep));
    expect(["PARSE_FAILED", "TOO_LARGE"]).toContain(code);
  });

  test("a body that is too long", async () => {
    expect((await failing(template("x".repeat(70_000)))).code).toBe("PARSE_FAILED");
  });
});

describe("a template has access to its parameters only", () => {
  test.each([
    "{% include 'x' %}",
    "{% render '/etc/passwd' %}",
    "{% layout 'x' %}",
    "{% liquid assign x = 1 %}",
    "{{ 'now' | date: '%s' }}",
    "{{ list | sample }}",
    "{{ value | where_exp: 'x', 'x' }}",
    "{% tablerow x in list %}{% endtablerow %}",
    "{{ value | constructor }}",
    "{{ value | __proto__ }}",
    "{% constructor %}",
    "{% unclosed",
    "{{ value",
    "{% if value %}",
  ])("%s is no template", async (body) => {
    expect((await failing(template(body))).code).toBe("PARSE_FAILED");
  });

  test.each([
    "{{ constructor }}",
    "{{ __proto__ }}",
    "{{ value.constructor }}",
    "{{ value.__proto__ }}",
    "{{ value['constructor']['constructor'] }}",
    "{{ list.constructor }}",
    "{{ list.push }}",
    "{{ toString }}",
    "{{ process }}",
    "{{ globalThis }}",
    "{% assign a = list | map: 'constructor' %}{{ a }}",
    "{{ list.first.constructor.constructor }}",
  ])("%s prints nothing", async (body) => {
    expect(await printed(template(body), { value: "v", list: ["l"] })).toBe("");
  });

  test("parameters are not parsed as templates", async () => {
    const value = "{{ list }}{% for i in (1..9) %}x{% endfor %}<{ list }>";
    expect(await printed(template("{{ value }}"), { value })).toBe(value);
  });

  test.each(["__proto__", "constructor", "hasOwnProperty", "toString"])(
    "a parameter named %s is unknown",
    async (name) => {
      const { call } = await openTestServer({ catalogue: [template("x")] });
      const parameters = JSON.parse(`{"${name}": "x"}`);
      const said = await call("validate_template", { resource_uri: "template://a/go/cli", parameters });
      expect(said).toMatchObject({ valid: false, unknown: [name] });
    },
  );
});

describe("paths cannot leave the project", () => {
  const HOSTILE = [
    "..",
    ".",
    "../x",
    "a/../../x",
    "/etc/passwd",
    "a\\..\\b",
    "C:\\x",
    "x\0y",
    "x\ny",
    "\u202Egpj.exe",
    ".git/hooks/post-commit",
    ".GIT/config",
    ".g\u200Cit/config",
    "git~1/config",
    "con",
    "nul.txt",
    "x ",
    "x.",
    " x",
    "-rf",
    "a//b",
    "",
    ".toolwright-answers.json",
    "\uD800",
    "x".repeat(300),
  ];

  test.each(HOSTILE)("a file that becomes %j is refused", async (value) => {
    const source = template("x", { filename: "{{ value }}" });
    expect((await failing(source, { value })).code).toBe("INVALID_ARGUMENTS");
  });

  test.each(HOSTILE.filter((name) => ![".toolwright-answers.json"].includes(name)))(
    "a project named %j is refused",
    async (project_name) => {
      const source = template("x", { parameters: [text("project_name")] });
      const { text: said, code } = await failing(source, { project_name });
      expect(code).toBe("INVALID_ARGUMENTS");
      expect(said).toContain("project_name");
    },
  );

  test("a hostile name is an entry in errors of a scaffold, and nothing is written outside", async () => {
    const source = template("x", { filename: "{{ value }}" });
    const { call, read } = await openTestServer({ catalogue: [source, template("y", { category: "b" })] });
    const made = await call("scaffold_project", {
      toolchain: "go",
      templates: ["a", "b"],
      parameters: { value: "../x" },
      write: true,
    });
    expect(made).toMatchObject({ written: ["project/file"], errors: [{ template: "a", code: "INVALID_ARGUMENTS" }] });
    expect([await read("x"), await read("project/file")]).toEqual([undefined, "y"]);
  });
});

describe("a pattern of a user that takes too long", () => {
  async function directoryWith(more: string): Promise<string> {
    const directory = await makeFolder();
    const parameter = `{ name: word, type: string, description: x, pattern: "^(a+)+b$"${more} }`;
    await putFile(
      directory,
      "slow/go/cli/template.yaml",
      `description: x\nfilename: y\nparameters:\n  - ${parameter}\n`,
    );
    await putFile(directory, "slow/go/cli/body.liquid", "{{ word }}");
    return directory;
  }
  const slow = `${"a".repeat(28)}!`;
  const said = "cannot be checked: its pattern ^(a+)+b$ takes too long";

  test("is stopped, and is an error of the parameter", async () => {
    const { call } = await openTestServer({ settings: { directory: await directoryWith("") } });
    const check = (word: string) =>
      call("validate_template", { resource_uri: "template://slow/go/cli", parameters: { word } });
    expect(await check(slow)).toMatchObject({
      valid: false,
      errors: [{ field: "word", message: expect.stringContaining(said) }],
    });
    expect(await check("aab")).toMatchObject({ valid: true });
  });

  test("is stopped when its default is validated", async () => {
    const directory = await directoryWith(`, default: "${slow}"`);
    const { call } = await openTestServer({ settings: { directory }, server: { log: () => undefined } });
    expect((await call("list_templates"))["errors"]).toMatchObject([{ message: expect.stringContaining(said) }]);
  });
});

describe("the sandbox", () => {
  const slow: TemplateSource = {
    ...template("x"),
    isUntrusted: true,
    parameters: Array.from({ length: 100 }, (_, at) => ({ ...text(`p${at}`), pattern: "^(a+)+b$" })),
  };
  const values = Object.fromEntries(slow.parameters.map(({ name }) => [name, `${"a".repeat(28)}!`]));
  const quick: TemplateSource = { ...template("{{ value }}"), isUntrusted: true };

  test("stops a template that takes too long, while the server stays responsive, and then renders the next", async () => {
    const sandbox = new Sandbox({ jobMs: 500 });
    onTestFinished(() => sandbox.close());
    const renderer = new Renderer(sandbox);
    expect(await renderer.render(quick, { value: "one" }, { now: NOW })).toMatchObject({ content: "one" });
    let ticks = 0;
    const timer = setInterval(() => void ticks++, 10);
    await expect(renderer.render(slow, values, { now: NOW })).rejects.toMatchObject({
      code: "TOO_LARGE",
      message: "The template template://a/go/cli cannot be rendered: it takes longer than 0.5 seconds.",
    });
    clearInterval(timer);
    expect(ticks).toBeGreaterThan(10);
    expect(await renderer.render(quick, { value: "two" }, { now: NOW })).toMatchObject({ content: "two" });
  });

  test("reports the errors of parameters and templates like the server itself", async () => {
    const sandbox = new Sandbox();
    onTestFinished(() => sandbox.close());
    for (const [source, parameters] of [
      [quick, { value: 5 }],
      [{ ...quick, body: "{{ value" }, { value: "x" }],
      [{ ...quick, body: "{% for i in (1..100000000) %}x{% endfor %}" }, {}],
    ] as const) {
      const fail = (renderer: Renderer): Promise<unknown> =>
        renderer
          .render(source, parameters, { now: NOW })
          .catch(({ message, code, details }) => ({ message, code, details }));
      expect(await fail(new Renderer(sandbox))).toEqual(await fail(new Renderer()));
    }
  });

  test("rejects jobs when it is closed", async () => {
    const sandbox = new Sandbox();
    const rendering = sandbox.render(quick, { value: "one" }, { now: NOW });
    await sandbox.close();
    await expect(rendering).rejects.toMatchObject({ code: "UNAVAILABLE" });
    await expect(sandbox.render(quick, {}, { now: NOW })).rejects.toThrow("the server is closing");
  });
});

test("long values and long lists are rejected before a template is rendered", async () => {
  const long = await failing(template("{{ value }}"), { value: "x".repeat(10_001) });
  expect(long.text).toContain("value must have at most 10000 characters");
  const many = await failing(template("{{ list }}"), { list: Array.from({ length: 201 }, () => "x") });
  expect(many.text).toContain("list must have at most 200 items");
});

test("a directory that does not exist is reported at the start", async () => {
  const folder = await makeFolder();
  await expect(openTestServer({ settings: { directory: `${folder}/nowhere` } })).rejects.toThrow(
    `Cannot open pack "templates": settings.directory: cannot open the folder ${folder}/nowhere`,
  );
});
