import { expect, test } from "vitest";
import { initialize } from "../../../engine/test/stdio/child.js";
import { Configured } from "./configured.js";

const list = (id: number) => ({ jsonrpc: "2.0", id, method: "tools/list" });

test("settings give the server another identity, revision and lifecycle", async () => {
  const child = new Configured({
    server: { name: "house", version: "2.0.0", description: "Keeps a house", instructions: "Knock first." },
    protocol: { revisions: ["2025-11-25"] },
    compat: { lifecycle: "strict" },
    tasks: false,
  }).serve();
  child.send(initialize(1, "2024-11-05"));
  const { result } = await child.answer(1);
  expect(result).toMatchObject({
    protocolVersion: "2025-11-25",
    serverInfo: { name: "house", version: "2.0.0", description: "Keeps a house" },
    instructions: "Knock first.",
  });
  expect(result).not.toHaveProperty("serverInfo.title");
  expect(result).not.toHaveProperty("capabilities.tasks");
  child.send(list(2));
  expect(await child.answer(2)).toMatchObject({ error: { code: -32600 } });
});

test("settings present tools in other words", async () => {
  const overrides = { echo: { name: "say/echo", description: "Says it again" } };
  const child = new Configured({
    tools: { names: ["echo"], overrides },
    largeResults: false,
    compat: { lifecycle: "off", toolLists: "plain", toolResults: "string" },
  }).serve();
  child.send(list(1), {
    jsonrpc: "2.0",
    id: 2,
    method: "tools/call",
    params: { name: "say/echo", arguments: { text: "hello" } },
  });
  expect(await child.answer(1)).toMatchObject({
    result: { tools: [{ name: "say/echo", description: "Says it again" }] },
  });
  expect(await child.answer(2)).toEqual({ jsonrpc: "2.0", id: 2, result: { content: "hello" } });
});

test.each([
  [
    { recorder: { frame: 1 } },
    'recorder in toolwright.config.json:1 has "frame", which is unknown; did you mean frames?',
  ],
  [{ recorder: { frames: 0 } }, '"frames", which must be a whole number above 0, not 0'],
  [{ recorder: 5 }, "must be true, false or an object with frames, characters, not 5"],
  [
    { tools: { overrides: { echo: { result: 1 } } } },
    'has "echo", which has "result", which must be the name of a member or a list, each of it the name of a member, not 1',
  ],
  [{ protocol: { revisions: ["2020-01-01"] } }, 'not ["2020-01-01"]'],
  [{ protocol: { listCache: { tools: { scope: "all" } } } }, "which must be public or private"],
])("%j is refused", (content, message) => {
  const { status, stdout, stderr } = new Configured(content).run("config check");
  expect([status, stdout]).toEqual([1, ""]);
  expect(stderr).toContain(message);
});
