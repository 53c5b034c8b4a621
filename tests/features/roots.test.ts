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
const said = (words: string) => ({ content: [{ type: "text", text: words }], isError: false });
const CANNOT = "This tool has to know the client's roots, and this client cannot be asked (it declared no roots).";

describe("one handler", () => {
  everyRevision("gets the client's roots, and no others than files [ROOT-01 MRTR-11]", async (open) => {
    const client = await open(serverWith([listing]), {
      roots: [
        { uri: "file:///home/ada/work", name: "Work" },
        { uri: "https://example.com/repo", name: "Elsewhere" },
        { uri: "file:///tmp" },
        { uri: "file:relative" },
      ],
    });
    expect(await client.callTool("listing")).toMatchObject(said("Work file:///home/ada/work; ? file:///tmp"));
  });

  everyRevision("may get none at all [ROOT-01]", async (open) => {
    const client = await open(serverWith([listing]), { roots: [] });
    expect(await client.callTool("listing")).toMatchObject(said(""));
  });

  onRevisions([STATELESS], "ends with a bare request under the name roots [MRTR-03]", async (open) => {
    const client = await open(serverWith([listing]), { roots: [] });
    const { inputRequests } = await client.request("tools/call", { name: "listing" });
    expect(inputRequests).toEqual({ roots: { method: "roots/list", params: {} } });
  });

  onRevisions([STATELESS], "asks again where the list cannot be read [MRTR-08]", async (open) => {
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

  onRevisions(HANDSHAKE, "fails where the client declared no roots, and asks nothing [CLI-01]", async (open) => {
    const client = await open(serverWith([listing]), { capabilities: {} });
    expect(await client.callTool("listing")).toMatchObject({ content: [{ text: CANNOT }], isError: true });
    expect(client.heard("roots/list")).toEqual([]);
  });

  onRevisions([STATELESS], "is refused with what is missing [CLI-01 MRTR-04]", async (open) => {
    const client = await open(serverWith([listing]), { capabilities: {} });
    await expect(client.callTool("listing")).rejects.toMatchObject({
      code: -32021,
      data: { requiredCapabilities: { roots: {} } },
    });
  });
});

describe("the roots of a session", () => {
  const tellsChanges = { roots: { listChanged: true } };

  onRevisions(HANDSHAKE, "are remembered until the client says that they changed [ROOT-02]", async (open) => {
    const roots = [{ uri: "file:///one" }];
    const client = await open(serverWith([listing]), { capabilities: tellsChanges, roots });
    expect(await client.callTool("listing")).toMatchObject(said("? file:///one"));
    roots[0] = { uri: "file:///two" };
    expect(await client.callTool("listing")).toMatchObject(said("? file:///one"));
    expect(client.heard("roots/list")).toHaveLength(1);
    client.notify("notifications/roots/list_changed");
    expect(await client.callTool("listing")).toMatchObject(said("? file:///two"));
    expect(client.heard("roots/list")).toHaveLength(2);
  });

  onRevisions(HANDSHAKE, "are those of no other session [ROOT-02]", async (open) => {
    const server = serverWith([listing]);
    const ada = await open(server, { capabilities: tellsChanges, roots: [{ uri: "file:///ada" }] });
    const eve = await open(server, { capabilities: tellsChanges, roots: [{ uri: "file:///eve" }] });
    expect(await ada.callTool("listing")).toMatchObject(said("? file:///ada"));
    expect(await eve.callTool("listing")).toMatchObject(said("? file:///eve"));
    eve.notify("notifications/roots/list_changed");
    expect(await ada.callTool("listing")).toMatchObject(said("? file:///ada"));
    expect(ada.heard("roots/list")).toHaveLength(1);
  });

  onRevisions([STATELESS], "are remembered for no stateless client, whatever it declares", async (open) => {
    const roots = [{ uri: "file:///one" }];
    const client = await open(serverWith([listing]), { capabilities: tellsChanges, roots });
    expect(await client.callTool("listing")).toMatchObject(said("? file:///one"));
    roots[0] = { uri: "file:///two" };
    expect(await client.callTool("listing")).toMatchObject(said("? file:///two"));
  });

  onRevisions(HANDSHAKE, "are asked for each time where the client tells no changes [ROOT-02]", async (open) => {
    const client = await open(serverWith([listing]), { capabilities: { roots: {} }, roots: [{ uri: "file:///one" }] });
    await client.callTool("listing");
    await client.callTool("listing");
    expect(client.heard("roots/list")).toHaveLength(2);
  });

  test.each(HANDSHAKE)(
    "are not remembered where they changed while they were asked for (%s) [ROOT-02]",
    async (revision) => {
      const wire = openWire(serverWith([listing]), revision);
      wire.say({ id: 7, method: "tools/call", params: { name: "listing" } });
      await wire.until({ method: "roots/list" });
      wire.say({ method: "notifications/roots/list_changed" });
      wire.say({ id: 1, result: { roots: [{ uri: "file:///old" }] } });
      await wire.until({ id: 7 });
      wire.say({ id: 8, method: "tools/call", params: { name: "listing" } });
      await wire.until({ id: 2, method: "roots/list" });
      wire.expectLegal();
    },
  );
});

describe.each(HANDSHAKE)("roots of a client of %s", (revision) => {
  test.each([
    [-32601, "Method not found", "The client could not list its roots: Method not found"],
    [-32603, "Boom", "The client could not list its roots: Boom"],
    [-1, "No", "The user did not let the client list its roots: No"],
  ])("that it refuses with %d are survived [CLI-04]", async (code, message, words) => {
    const wire = openWire(serverWith([listing]), revision);
    wire.say({ id: 7, method: "tools/call", params: { name: "listing" } });
    await wire.until({ method: "roots/list" });
    wire.say({ id: 1, error: { code, message } });
    expect(await wire.until({ id: 7 })).toMatchObject({ result: { content: [{ text: words }], isError: true } });
    wire.expectLegal();
  });

  test.each([[null], [{}], [{ roots: [{ name: "x" }] }]])("that come as %j fail the call [CLI-04]", async (result) => {
    const wire = openWire(serverWith([listing]), revision);
    wire.say({ id: 7, method: "tools/call", params: { name: "listing" } });
    await wire.until({ method: "roots/list" });
    wire.say({ id: 1, result });
    expect(await wire.until({ id: 7 })).toMatchObject({
      result: { content: [{ text: "The client's list of roots could not be read." }], isError: true },
    });
  });
});

function openWire(server: Server, revision: string): Wire {
  const wire = new Wire(server, revision);
  wire.initialize({ roots: { listChanged: true } });
  return wire;
}
