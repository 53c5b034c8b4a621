import { connect } from "@toolwright/engine/client";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { createMemoryServer } from "../../src/cli/memory-server.js";
import { loadServeConfig } from "../../src/cli/serve-config.js";
import { type Arena, createArena } from "./arena.js";

let arena: Arena;
beforeAll(() => {
  arena = createArena();
});
afterAll(() => arena.remove());

async function open(...words: readonly string[]) {
  const all = ["--config", arena.configuration, "--state", arena.stateFolder, ...words];
  const config = await loadServeConfig(all, { env: {}, folder: arena.root });
  const server = await createMemoryServer(config, arena.stateFolder, "1.0.0");
  const client = await connect({ server });
  onTestFinished(async () => {
    await client.close();
    await server.close();
  });
  return client;
}

type Client = Awaited<ReturnType<typeof open>>;

async function listsOf(client: Client) {
  const { resourceTemplates } = await client.request("resources/templates/list", {});
  return {
    resources: (await client.listResources()).map(({ uri }) => uri),
    templates: (resourceTemplates as { readonly uriTemplate: string }[]).map(({ uriTemplate }) => uriTemplate),
    prompts: (await client.listPrompts()).map(({ name }) => name),
  };
}

const complete = (client: Client, uri: string, name: string) =>
  client.request("completion/complete", { ref: { type: "ref/resource", uri }, argument: { name, value: "" } });

describe("the tool filter narrows what shows the same as a tool", () => {
  test("without a filter files are resources", async () => {
    const client = await open();
    const { resources, templates, prompts } = await listsOf(client);
    expect(templates).toContain("file:///{+path}");
    expect(resources.some((uri) => uri.startsWith("file:"))).toBe(true);
    expect(prompts).toEqual(expect.arrayContaining(["commit-message", "plan-work"]));
    expect(await client.readResource(`file://${arena.root}/readme.md`)).toMatchObject({
      contents: [{ text: expect.stringContaining("# Inside") }],
    });
  });

  test.each([
    ["--toolsets", "tasks"],
    ["--tools", "create_task,list_tasks"],
    ["--without-tools", "fs_read_file"],
  ])("%s %s closes the resources of files", async (...words) => {
    const client = await open(...words);
    const { resources, templates } = await listsOf(client);
    expect([...resources, ...templates].filter((uri) => uri.startsWith("file:"))).toEqual([]);
    for (const uri of [
      `file://${arena.root}/readme.md`,
      `FILE://${arena.root}/src/../%72eadme.md`,
      "file:///readme.md",
    ])
      await expect(client.readResource(uri)).rejects.toThrow();
    await expect(complete(client, "file:///{+path}", "path")).rejects.toThrow();
  });

  test("with one pack, only its resources, templates and prompts are left", async () => {
    const { resources, templates, prompts } = await listsOf(await open("--toolsets", "basics"));
    expect(resources).toEqual([]);
    expect(templates).toEqual(["result://{id}"]);
    expect(prompts).toEqual([]);
  });

  test("--read-only keeps what only reads", async () => {
    const client = await open("--read-only");
    expect((await listsOf(client)).templates).toContain("file:///{+path}");
    expect(await client.readResource(`file://${arena.root}/readme.md`)).toMatchObject({ contents: [{}] });
  });
});
