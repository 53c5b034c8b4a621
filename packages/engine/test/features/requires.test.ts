import {
  createServer,
  type JsonObject,
  prompt,
  resource,
  resourceTemplate,
  type Server,
  type ServerOptions,
  tool,
} from "@toolwright/engine";
import { connect } from "@toolwright/engine/client";
import { serveHttp } from "@toolwright/engine/http";
import { expect, onTestFinished, test } from "vitest";
import { everyRevision, HANDSHAKE, onRevisions } from "../support/every-revision.js";

const named = (name: string, more: object = {}) =>
  tool({ name, description: "d", toolset: name, run: () => name, ...more });

function serverOf(options: Partial<ServerOptions> = {}): Server {
  return createServer({
    name: "s",
    version: "1",
    dynamic: true,
    tools: [named("read_file", { annotations: { readOnlyHint: true } }), named("write_file"), named("task")],
    resources: [
      resource({ uri: "file:///readme", name: "readme", requires: ["read_file"], read: () => "text" }),
      resourceTemplate({
        uri: "file:///{+path}",
        name: "file",
        requires: ["read_file"],
        complete: { path: ["a.txt"] },
        list: () => ({ resources: [{ uri: "file:///a.txt", name: "a" }] }),
        read: () => "text",
      }),
      resource({ uri: "task://all", name: "tasks", read: () => "tasks" }),
    ],
    prompts: [
      prompt({
        name: "rewrite",
        description: "d",
        requires: ["read_file", "write_file"],
        input: { type: "object", properties: { tone: { enum: ["dry", "warm"] } } },
        run: () => "Rewrite it",
      }),
      prompt({ name: "plan", description: "d", run: () => "Plan it" }),
    ],
    ...options,
  });
}

interface Lists {
  listResources(): Promise<readonly object[]>;
  listPrompts(): Promise<readonly object[]>;
  request(method: string, params: JsonObject): Promise<unknown>;
}

async function listsOf(client: Lists) {
  const { resourceTemplates } = (await client.request("resources/templates/list", {})) as Record<string, object[]>;
  const each = (entries: readonly object[] = [], member = "") =>
    entries.map((entry) => (entry as Record<string, unknown>)[member]);
  return {
    resources: each(await client.listResources(), "uri"),
    templates: each(resourceTemplates, "uriTemplate"),
    prompts: each(await client.listPrompts(), "name"),
  };
}

const ALL = {
  resources: ["file:///readme", "task://all", "file:///a.txt"],
  templates: ["file:///{+path}"],
  prompts: ["rewrite", "plan"],
};
const TASKS = { resources: ["task://all"], templates: [], prompts: ["plan"] };

everyRevision("resources, templates and prompts are offered while the tools they require are", async (open) => {
  const server = serverOf();
  const client = await open(server);
  expect(await listsOf(client)).toEqual(ALL);

  await server.select({ toolsets: ["task"] });
  expect(await listsOf(client)).toEqual(TASKS);
  for (const uri of ["file:///readme", "file:///a.txt", "FILE:///./readme", "file:///%61.txt"])
    await expect(client.readResource(uri)).rejects.toMatchObject({ message: expect.stringContaining(uri) });
  await expect(client.getPrompt("rewrite")).rejects.toMatchObject({ code: -32602 });
  const complete = (ref: JsonObject, name: string) =>
    client.request("completion/complete", { ref: { ...ref }, argument: { name, value: "" } });
  const file = { type: "ref/resource", uri: "file:///{+path}" };
  const rewrite = { type: "ref/prompt", name: "rewrite" };
  await expect(complete(file, "path")).rejects.toMatchObject({ code: -32602 });
  await expect(complete(rewrite, "tone")).rejects.toMatchObject({ code: -32602 });

  await server.select({ readOnly: true });
  expect(await listsOf(client)).toEqual({ ...ALL, prompts: ["plan"] });
  expect(await complete(file, "path")).toMatchObject({ completion: { values: ["a.txt"] } });

  await server.select({});
  expect(await listsOf(client)).toEqual(ALL);
  expect(await client.readResource("file:///readme")).toMatchObject({ contents: [{ text: "text" }] });
  await server.close();
});

test("the filter of the options applies from the start, and to what is added later", async () => {
  const server = serverOf({ toolOptions: { filter: { exclude: ["read_file"] } } });
  await server.start();
  expect(server.resources.map(({ uri }) => uri)).toEqual(["task://all"]);
  expect(server.prompts.map(({ name }) => name)).toEqual(["plan"]);
  server.addResource(resource({ uri: "file:///later", name: "later", requires: ["read_file"], read: () => "" }));
  server.addPrompt(prompt({ name: "later", description: "d", requires: ["missing_tool"], run: () => "" }));
  expect(server.resources.map(({ uri }) => uri)).toEqual(["task://all"]);
  server.addTool(named("missing_tool"));
  expect(server.prompts.map(({ name }) => name)).toEqual(["plan", "later"]);
  server.removeResource("file:///later");
  await server.select({});
  expect(server.resources.map(({ uri }) => uri)).toEqual(["file:///readme", "task://all", "file:///{+path}"]);
  await server.close();
});

onRevisions(
  HANDSHAKE,
  "clients are notified of the lists that change, and of no change of a hidden resource",
  async (open) => {
    const server = serverOf({ limits: { changeIntervalMs: 1 } });
    const client = await open(server);
    await client.request("resources/subscribe", { uri: "file:///readme" });
    await server.select({ toolsets: ["task"] });
    await expect
      .poll(() =>
        ["tools", "prompts", "resources"].map((kind) => client.received(`notifications/${kind}/list_changed`).length),
      )
      .toEqual([1, 1, 1]);
    server.notifyResourceUpdated("file:///readme");
    await expect(client.request("resources/subscribe", { uri: "file:///readme" })).rejects.toThrow();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(client.received("notifications/resources/updated")).toEqual([]);
    await server.select({ readOnly: true });
    server.notifyResourceUpdated("file:///readme");
    await expect.poll(() => client.received("notifications/resources/updated").length).toBe(1);
    await server.close();
  },
);

test("the tool filter headers of a request apply too", async () => {
  const serving = await serveHttp(serverOf(), { port: 0 });
  onTestFinished(() => serving.close());
  const client = await connect({ url: serving.url }, { headers: { "X-MCP-Toolsets": "task" } });
  onTestFinished(() => client.close());
  expect(await listsOf(client)).toEqual(TASKS);
  await expect(client.readResource("file:///readme")).rejects.toThrow();
  await expect(client.getPrompt("rewrite")).rejects.toMatchObject({ code: -32602 });
  const other = await connect({ url: serving.url });
  onTestFinished(() => other.close());
  expect(await listsOf(other)).toEqual(ALL);
});

test("required tools are an array of names", () => {
  const options = { uri: "file:///a", name: "a", read: () => "", requires: "read_file" };
  expect(() => resource(options as never)).toThrow("requires must be an array of names");
  expect(() => prompt({ name: "p", description: "d", run: () => "", requires: [1] } as never)).toThrow(
    "requires must be an array of names",
  );
});
