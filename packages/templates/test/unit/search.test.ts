import { expect, test } from "vitest";
import type { TemplateSource } from "../../src/format/template.js";
import { openTestServer } from "../kit.js";

const template = (name: string, description: string, ...parameters: string[]): TemplateSource => ({
  category: name.toLowerCase().replaceAll(" ", "-"),
  toolchain: name === "Docker" ? "go" : "rust",
  variant: "cli",
  name,
  description,
  filename: "file",
  parameters: parameters.map((each) => ({ name: each, type: "string", description: "Some text." })),
  body: "",
});

const catalogue = [
  template("Docker", "An image.", "image"),
  template("Docker compose", "Several containers.", "docker_host", "docker_user"),
  template("Makefile", "Builds with docker.", "target"),
  template("Readme", "Words.", "docker_host"),
  template("Licence", "Law.", "holder"),
];

test("an exact name counts 10, part of a name 5, the description 3, each parameter 1", async () => {
  const { call } = await openTestServer({ catalogue });
  const { results, count } = await call("search_templates", { query: "DOCKER" });
  expect(count).toBe(4);
  expect(
    (results as { name: string; relevance: number; matched: string[] }[]).map(({ name, relevance, matched }) => [
      name,
      relevance,
      matched,
    ]),
  ).toEqual([
    ["Docker", 10, ["name"]],
    ["Docker compose", 7, ["name", "parameters.docker_host", "parameters.docker_user"]],
    ["Makefile", 3, ["description"]],
    ["Readme", 1, ["parameters.docker_host"]],
  ]);
});

test("scores add up", async () => {
  const all = [template("docker", "docker", "docker"), template("my docker", "docker", "docker_a", "docker_b")];
  const { call } = await openTestServer({ catalogue: all });
  const { results } = await call("search_templates", { query: "docker" });
  expect((results as { relevance: number }[]).map(({ relevance }) => relevance)).toEqual([14, 10]);
});

test("a toolchain and a limit narrow a search", async () => {
  const { call } = await openTestServer({ catalogue });
  expect((await call("search_templates", { query: "docker", toolchain: "go" }))["count"]).toBe(1);
  const { results, count } = await call("search_templates", { query: "docker", limit: 1 });
  expect([(results as unknown[]).length, count]).toEqual([1, 4]);
});

test("if nothing has the whole query, all of its words must be found, in URIs, too", async () => {
  const { call } = await openTestServer();
  const names = async (query: string): Promise<string[]> =>
    ((await call("search_templates", { query }))["results"] as { name: string }[]).map(({ name }) => name);
  expect(await names("rust makefile")).toEqual(["Rust CLI Makefile"]);
  expect(await names("ci-github rust")).toEqual(["Rust GitHub workflow"]);
  expect(await names("rust nothing")).toEqual([]);
  expect(await names("  ")).toEqual([]);
});
