import { type Server, tool } from "@toolwright/engine";
import { describe, expect, test } from "vitest";
import { everyRevision, HANDSHAKE, onRevisions, STATELESS } from "../support/every-revision.js";
import { serverWith } from "./server.js";
import { Wire } from "./wire.js";

const listing = tool({
  name: "listing",
  description: "Lists the roots, twice.",
  run: async (_input, call) => {
    const [once, twice] = [await call.roots(), await call.roots()];
    return once === twice ? once.map(({ uri, name }) => `${name ?? "?"} ${uri}`).join("; ") : "not the same";
  },
});
const textResult = (words: string) => ({ content: [{ type: "text", text: words }], isError: false });
const CANNOT = "This tool cannot send roots/list: the client did not declare roots.";

describe("call.roots", () => {
  everyRevision("returns the client's roots that are file URIs [ROOT-01 MRTR-11]", async (open) => {
    const client = await open(serverWith([listing]), {
      roots: [
        { uri: "file:///home/ada/work", name: "Work" },
        { uri: "https://example.com/repo", name: "Elsewhere" },
        { uri: "file:///tmp" },
        { uri: "file:relative" },
      ],
    });
    expect(await client.callTool("listing")).toMatchObject(textResult("Work file:///home/ada/work; ? file:///tmp"));
  });

  everyRevision("may return no roots [ROOT-01]", async (open) => {
    const client = await open(serverWith([listing]), { roots: [] });
    expect(await client.callTool("listing")).toMatchObject(textResult(""));
  });

  onRevisions(
    [STATELESS],
    "ends with an input request named roots in the stateless revision [MRTR-03]",
    async (open) => {
      const client = await open(serverWith([listing]), { roots: [] });
      const { inputRequests } = await client.request("tools/call", { name: "listing" });
      expect(inputRequests).toEqual({ roots: { method: "roots/list", params: {} } });
    },
  );

  onRevisions([STATELESS], "requests the roots again if the list is invalid [MRTR-08]", async (open) => {
    const client = await open(serverWith([listing]), { roots: [] });
    const { requestState } = await client.request("tools/call", { name: "listing" });
    for (const roots of [
      null,
      {},
      { roots: {} },
      { roots: [7] },
      { roots: [{ uri: 7 }] },
      { roots: [{ uri: "file:///a", name: 7 }] },
    ]) {
      const again = await client.request("tools/call", {
        name: "listing",
        inputResponses: { roots },
        requestState,
      } as never);
      expect(again).toMatchObject({ resultType: "input_required" });
    }
  });

  onRevisions(HANDSHAKE, "fails without a request if the client did not declare roots [CLI-01]", async (open) => {
    const client = await open(serverWith([listing]), { capabilities: {} });
    expect(await client.callTool("listing")).toMatchObject({ content: [{ text: CANNOT }], isError: true });
    expect(client.received("roots/list")).toEqual([]);
  });

  onRevisions([STATELESS], "returns an error that names the missing capability [CLI-01 MRTR-04]", async (open) => {
    const client = await open(serverWith([listing]), { capabilities: {} });
    await expect(client.callTool("listing")).rejects.toMatchObject({
      code: -32021,
      data: { requiredCapabilities: { roots: {} } },
    });
  });
});

describe("the cached roots of a session", () => {
  const tellsChanges = { roots: { listChanged: true } };

  onRevisions(HANDSHAKE, "are kept until the client sends notifications/roots/list_changed [ROOT-02]", async (open) => {
    const roots = [{ uri: "file:///one" }];
    const client = await open(serverWith([listing]), { capabilities: tellsChanges, roots });
    expect(await client.callTool("listing")).toMatchObject(textResult("? file:///one"));
    roots[0] = { uri: "file:///two" };
    expect(await client.callTool("listing")).toMatchObject(textResult("? file:///one"));
    expect(client.received("roots/list")).toHaveLength(1);
    client.notify("notifications/roots/list_changed");
    expect(await client.callTool("listing")).toMatchObject(textResult("? file:///two"));
    expect(client.received("roots/list")).toHaveLength(2);
  });

  onRevisions(HANDSHAKE, "are not shared with other sessions [ROOT-02]", async (open) => {
    const server = serverWith([listing]);
    const ada = await open(server, { capabilities: tellsChanges, roots: [{ uri: "file:///ada" }] });
    const eve = await open(server, { capabilities: tellsChanges, roots: [{ uri: "file:///eve" }] });
    expect(await ada.callTool("listing")).toMatchObject(textResult("? file:///ada"));
    expect(await eve.callTool("listing")).toMatchObject(textResult("? file:///eve"));
    eve.notify("notifications/roots/list_changed");
    expect(await ada.callTool("listing")).toMatchObject(textResult("? file:///ada"));
    expect(ada.received("roots/list")).toHaveLength(1);
  });

  onRevisions([STATELESS], "do not exist for stateless clients", async (open) => {
    const roots = [{ uri: "file:///one" }];
    const client = await open(serverWith([listing]), { capabilities: tellsChanges, roots });
    expect(await client.callTool("listing")).toMatchObject(textResult("? file:///one"));
    roots[0] = { uri: "file:///two" };
    expect(await client.callTool("listing")).toMatchObject(textResult("? file:///two"));
  });

  onRevisions(HANDSHAKE, "do not exist if the client does not announce changes [ROOT-02]", async (open) => {
    const client = await open(serverWith([listing]), { capabilities: { roots: {} }, roots: [{ uri: "file:///one" }] });
    await client.callTool("listing");
    await client.callTool("listing");
    expect(client.received("roots/list")).toHaveLength(2);
  });

  test.each(HANDSHAKE)("are dropped if they changed during the request (%s) [ROOT-02]", async (revision) => {
    const wire = openWire(serverWith([listing]), revision);
    wire.send({ id: 7, method: "tools/call", params: { name: "listing" } });
    await wire.waitFor({ method: "roots/list" });
    wire.send({ method: "notifications/roots/list_changed" });
    wire.send({ id: 1, result: { roots: [{ uri: "file:///old" }] } });
    await wire.waitFor({ id: 7 });
    wire.send({ id: 8, method: "tools/call", params: { name: "listing" } });
    await wire.waitFor({ id: 2, method: "roots/list" });
    wire.expectLegal();
  });
});

describe.each(HANDSHAKE)("roots/list in revision %s", (revision) => {
  test.each([
    [-32601, "Method not found", "The client rejected roots/list: Method not found"],
    [-32603, "Boom", "The client rejected roots/list: Boom"],
    [-1, "No", "The user declined roots/list: No"],
    [-32603, "x".repeat(1_000_000), `The client rejected roots/list: ${"x".repeat(1000)}…`],
  ])("that the client rejects with error %d fails the call [CLI-04]", async (code, message, words) => {
    const wire = openWire(serverWith([listing]), revision);
    wire.send({ id: 7, method: "tools/call", params: { name: "listing" } });
    await wire.waitFor({ method: "roots/list" });
    wire.send({ id: 1, error: { code, message } });
    expect(await wire.waitFor({ id: 7 })).toMatchObject({ result: { content: [{ text: words }], isError: true } });
    wire.expectLegal();
  });

  test.each([[null], [{}], [{ roots: [{ name: "x" }] }]])(
    "with the invalid result %j fails the call [CLI-04]",
    async (result) => {
      const wire = openWire(serverWith([listing]), revision);
      wire.send({ id: 7, method: "tools/call", params: { name: "listing" } });
      await wire.waitFor({ method: "roots/list" });
      wire.send({ id: 1, result });
      expect(await wire.waitFor({ id: 7 })).toMatchObject({
        result: { content: [{ text: "The client's list of roots is invalid." }], isError: true },
      });
    },
  );
});

function openWire(server: Server, revision: string): Wire {
  const wire = new Wire(server, revision);
  wire.initialize({ roots: { listChanged: true } });
  return wire;
}
