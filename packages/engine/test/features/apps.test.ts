import { app, type JsonObject, pack, resource, resourceTemplate, tool } from "@toolwright/engine";
import { describe, expect, test } from "vitest";
import { ALL, everyRevision, onRevisions, STATELESS } from "../support/every-revision.js";
import { serverWith } from "./server.js";

const URI = "ui://weather/view";
const PAGE = "<!doctype html><title>Weather</title>";
const WITH_META = ALL.filter((version) => version >= "2025-06-18");

const page = app({ uri: URI, name: "Weather view", html: PAGE, csp: { connectDomains: ["https://api.example.com"] } });
const weather = tool({
  name: "weather",
  description: "Says the weather.",
  ui: { resource: URI },
  meta: { "example.com/own": 1 },
  run: () => ({ city: "Bern", degrees: 21 }),
});
const refresh = tool({
  name: "refresh",
  description: "For the page.",
  ui: { visibility: ["app"] },
  run: () => "fresh",
});
const both = () => serverWith([weather, refresh], { resources: [page] });

onRevisions(
  WITH_META,
  "a tool links to its UI resource with the current and the legacy _meta keys [APP-02]",
  async (open) => {
    const [first, second] = await (await open(both())).listTools();
    expect(first?.["_meta"]).toEqual({
      "example.com/own": 1,
      ui: { resourceUri: "ui://weather/view" },
      "ui/resourceUri": "ui://weather/view",
    });
    expect(second?.["_meta"]).toEqual({ ui: { visibility: ["app"] } });
  },
);

onRevisions(WITH_META, "the UI resource is listed and read with its MIME type and metadata [APP-03]", async (open) => {
  const client = await open(both());
  const ui = { csp: { connectDomains: ["https://api.example.com"] } };
  const { resources } = await client.request("resources/list");
  expect(resources).toEqual([
    { uri: "ui://weather/view", name: "Weather view", mimeType: "text/html;profile=mcp-app", _meta: { ui } },
  ]);
  const { contents } = await client.request("resources/read", { uri: URI });
  expect(contents).toEqual([
    { uri: "ui://weather/view", mimeType: "text/html;profile=mcp-app", text: PAGE, _meta: { ui } },
  ]);
});

everyRevision(
  "a tool with a UI returns text and structured content like any other tool [APP-04]",
  async (open, revision) => {
    const client = await open(both());
    expect(await client.callTool("weather")).toMatchObject({
      content: [{ type: "text", text: '{"city":"Bern","degrees":21}' }],
      isError: false,
      ...(revision >= "2025-06-18" && { structuredContent: { city: "Bern", degrees: 21 } }),
    });
    expect(await client.callTool("refresh")).toMatchObject({ content: [{ type: "text", text: "fresh" }] });
  },
);

onRevisions(WITH_META, 'call.supports("apps") tells a tool whether the client shows its UI [APP-01]', async (open) => {
  const look = tool({
    name: "look",
    description: "Says who looks.",
    ui: { resource: URI },
    run: (_input, call) => (call.supports("apps") ? "See the page." : "It is 21 degrees."),
  });
  const server = serverWith([look], { resources: [page] });
  const textResult = async (capabilities: JsonObject): Promise<unknown> =>
    ((await (await open(server, { capabilities })).callTool("look"))["content"] as JsonObject[])[0]?.["text"];
  const declaring = (ui: JsonObject) => ({ extensions: { "io.modelcontextprotocol/ui": ui } });
  expect(await textResult({})).toBe("It is 21 degrees.");
  expect(await textResult(declaring({}))).toBe("It is 21 degrees.");
  expect(await textResult(declaring({ mimeTypes: ["text/html"] }))).toBe("It is 21 degrees.");
  expect(await textResult(declaring({ mimeTypes: ["text/html;profile=mcp-app"] }))).toBe("See the page.");
});

onRevisions([STATELESS], "the UI extension is declared only if a tool uses it [CAP-06]", async (open) => {
  const declared = async (server: ReturnType<typeof both>): Promise<unknown> =>
    ((await (await open(server)).request("server/discover"))["capabilities"] as JsonObject)["extensions"];
  expect(await declared(both())).toEqual({ "io.modelcontextprotocol/ui": {} });
  const plain = tool({ name: "plain", description: "Has no page.", run: () => "" });
  expect(await declared(serverWith([plain], { resources: [page] }))).toBeUndefined();
});

describe("a server does not start if the UI resource of a tool", () => {
  const start = (options: Parameters<typeof serverWith>[1]) => serverWith([weather], options).start();

  test("does not exist [APP-02]", async () => {
    await expect(start({})).rejects.toThrow(
      new TypeError(
        'Cannot register tool "weather": ui.resource "ui://weather/view" is not a resource of this server; add an app with this uri',
      ),
    );
  });

  test("has another MIME type [APP-03]", async () => {
    const reason =
      'Cannot register tool "weather": ui.resource "ui://weather/view" has the MIME type text/html, not text/html;profile=mcp-app; define it with app()';
    const other = resource({ uri: URI, name: "Other", mimeType: "text/html", read: () => PAGE });
    await expect(start({ resources: [other] })).rejects.toThrow(new TypeError(reason));
  });
});

describe("the UI resource of a tool", () => {
  test("may be in another pack", async () => {
    const pages = pack({ name: "pages", open: () => ({ resources: [page] }) });
    await expect(serverWith([weather], { packs: [pages()] }).start()).resolves.toBeUndefined();
  });

  test("may match a resource template", async () => {
    const family = resourceTemplate({
      uri: "ui://weather/{name}",
      name: "Views",
      mimeType: "text/html;profile=mcp-app",
      read: () => PAGE,
    });
    await expect(serverWith([weather], { resources: [family] }).start()).resolves.toBeUndefined();
  });

  test("must be added before its tool and removed after it", async () => {
    const server = serverWith([], { dynamic: true, resources: [] });
    await server.start();
    expect(() => server.addTool(weather)).toThrow(
      'Cannot register tool "weather": ui.resource "ui://weather/view" is no',
    );
    expect(server.tools).toEqual([]);
    server.addResource(page);
    server.addTool(weather);
    expect(() => server.removeResource(URI)).toThrow('Cannot register tool "weather"');
    server.removeTool("weather");
    server.removeResource(URI);
    expect(server.resources).toEqual([]);
  });
});
