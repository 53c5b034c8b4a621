import { describe, expect, test } from "vitest";
import { loadCatalogue } from "../../src/context.js";
import { findValueError } from "../../src/format/parameters.js";
import type { TemplateSource } from "../../src/format/template.js";
import { SafeLiquid } from "../../src/rendering/liquid.js";
import { Renderer } from "../../src/rendering/renderer.js";
import { openTestServer } from "../kit.js";
import { TEMPLATES, wordsOf } from "./kit.js";

const TOOLCHAINS = ["rust", "deno", "python-uv", "node-ts", "bun", "go", "java", "dotnet"];

/** The variables that a template uses, of its body and of its file name. */
function variablesOf({ body, filename, delimiters = "curly" }: TemplateSource): readonly string[] {
  const liquids = [
    [new SafeLiquid(delimiters), body],
    [new SafeLiquid("curly"), filename],
  ] as const;
  return liquids.flatMap(([liquid, text]) => liquid.variablesOf(liquid.compile(text)));
}

const find = (words: string): TemplateSource => {
  const found = TEMPLATES.find((template) => wordsOf(template) === words);
  if (found === undefined) throw new Error(`There is no ${words}`);
  return found;
};

describe("the catalogue", () => {
  test("has at least 60 templates", () => expect(TEMPLATES.length).toBeGreaterThanOrEqual(60));

  test("is compiled into the program", async () => expect(await loadCatalogue()).toEqual(TEMPLATES));

  test("has every category for every toolchain", () => {
    const categories = ["makefile", "readme", "gitignore", "editorconfig", "ci-github", "dockerfile", "precommit"];
    categories.push("contributing", "manifest", "source", "test");
    const missing = TOOLCHAINS.flatMap((toolchain) =>
      categories.filter((category) => !TEMPLATES.some((at) => at.toolchain === toolchain && at.category === category)),
    );
    expect(missing).toEqual([]);
    expect(TEMPLATES.filter((at) => at.toolchain === "any").map((at) => at.category)).toEqual(
      expect.arrayContaining(["license", "security"]),
    );
  });

  test("gives no two templates the same URI", () => {
    const words = TEMPLATES.map(wordsOf);
    expect(words.filter((word, at) => words.indexOf(word) !== at)).toEqual([]);
  });

  test("has names of lower-case letters, digits and dashes", () => {
    const names = TEMPLATES.flatMap(({ category, toolchain, variant }) => [category, toolchain, variant]);
    expect(names.filter((name) => !/^[a-z0-9-]+$/.test(name))).toEqual([]);
    expect(new Set(TEMPLATES.map(({ toolchain }) => toolchain))).toEqual(new Set([...TOOLCHAINS, "any"]));
  });

  test("uses every parameter, and no other variable", async () => {
    const renderer = new Renderer();
    for (const template of TEMPLATES) {
      expect(await renderer.findErrors(template), wordsOf(template)).toEqual([]);
      const used = new Set(variablesOf(template));
      const idle = template.parameters.filter(({ name }) => !used.has(name));
      expect(
        idle.map(({ name }) => name),
        wordsOf(template),
      ).toEqual([]);
    }
  });

  test("describes everything in one sentence", () => {
    const sentence = /^[A-Z][^.!?\n]*(?:\.(?! [A-Z])[^.!?\n]*)*\.$/;
    const said = TEMPLATES.flatMap((template) => [
      template.description,
      ...template.parameters.map(({ description }) => description),
    ]);
    const others = said.filter((text) => !sentence.test(text.replace(/^\.NET/, "NET")) || text.length > 160);
    // The words that a client of the profile paiml knows.
    expect(others).toEqual(["Professional Makefile template for Rust CLI projects"]);
  });

  test("has valid defaults for all parameters that are not required", () => {
    for (const template of TEMPLATES)
      for (const parameter of template.parameters) {
        const label = `${wordsOf(template)} ${parameter.name}`;
        if (parameter.required) expect(parameter.default, label).toBeUndefined();
        else expect(findValueError(parameter, parameter.default as never), label).toBeUndefined();
      }
  });

  test("requires no parameter that toolwright new would have to ask for in every project", () => {
    const required = TEMPLATES.flatMap(({ parameters }) => parameters.filter((parameter) => parameter.required));
    expect(new Set(required.map(({ name }) => name))).toEqual(new Set(["project_name", "description", "author"]));
  });

  test("gives a parameter the same type everywhere", () => {
    const kinds = new Map<string, Set<string>>();
    for (const { name, type } of TEMPLATES.flatMap(({ parameters }) => parameters))
      kinds.set(name, (kinds.get(name) ?? new Set()).add(type === "enum" ? "string" : type));
    expect([...kinds].filter(([, types]) => types.size > 1)).toEqual([]);
  });
});

describe("the nine templates of the source document", () => {
  const named = (words: string) =>
    find(words).parameters.map(({ name, required, default: usual }) => (required ? `${name}*` : [name, usual]));

  test("makefiles keep their parameters and defaults", () => {
    expect(named("makefile/rust/cli")).toEqual([
      "project_name*",
      ["has_tests", true],
      ["has_benchmarks", false],
      ["target", ""],
      ["features", []],
      ["default_args", ""],
    ]);
    expect(named("makefile/deno/cli")).toEqual([
      "project_name*",
      ["has_tests", true],
      ["entry_point", "main.ts"],
      ["permissions", ["--allow-read", "--allow-write"]],
    ]);
    expect(named("makefile/python-uv/cli")).toEqual([
      "project_name*",
      ["has_tests", true],
      ["python_version", "3.12"],
      ["entry_point", "main"],
    ]);
  });

  test("READMEs keep their parameters and defaults", () => {
    expect(named("readme/rust/cli")).toEqual([
      "project_name*",
      "description*",
      ["features", []],
      ["rust_version", "1.75"],
      ["install_command", "cargo install --path ."],
      ["usage_example", ""],
      ["prerequisites", [expect.any(String), expect.any(String)]],
      ["build_command", "make build"],
      ["test_command", "make test"],
      ["license", "MIT"],
      ["author", ""],
    ]);
    const others = ["project_name*", ["description", ""], ["author_name", ""]];
    expect(named("readme/deno/cli")).toEqual(others);
    expect(named("readme/python-uv/cli")).toEqual(others);
  });

  test("gitignores keep their parameters", () => {
    expect(
      find("gitignore/rust/cli")
        .parameters.map(({ name }) => name)
        .sort(),
    ).toEqual([
      "build_artifacts",
      "custom_patterns",
      "embedded_targets",
      "ide_files",
      "language_specific",
      "os_specific",
      "project_type",
    ]);
    expect(named("gitignore/deno/cli")).toEqual([]);
    expect(named("gitignore/python-uv/cli")).toEqual([]);
  });
});

describe("scaffold_project", () => {
  test.each(TOOLCHAINS)(
    "finds every category of %s for a program and a server, and an image for no library",
    async (toolchain) => {
      const { call } = await openTestServer({ catalogue: TEMPLATES });
      const fitting = TEMPLATES.filter((template) => [toolchain, "any"].includes(template.toolchain));
      const categories = [...new Set(fitting.map(({ category }) => category))];
      const parameters = { project_name: "my-app", description: "Does it.", author: "Ada Lovelace" };
      for (const variant of ["cli", "lib", "service"]) {
        const templates = categories.filter((category) => variant !== "lib" || category !== "dockerfile");
        const made = await call("scaffold_project", { toolchain, variant, templates, parameters });
        expect(made["errors"], variant).toEqual([]);
      }
      const refused = await call("scaffold_project", {
        toolchain,
        variant: "lib",
        templates: ["dockerfile"],
        parameters,
      });
      expect(refused["errors"]).toMatchObject([{ code: "TEMPLATE_NOT_FOUND" }]);
    },
  );
});
