import { describe, expect, test } from "vitest";
import { RpcError } from "../../src/jsonrpc/errors.js";
import type { JsonObject } from "../../src/jsonrpc/messages.js";
import { REVISIONS } from "../../src/revisions/negotiation.js";
import { HeaderValidation } from "../../src/server/features/request-headers.js";

const VERSION = "io.modelcontextprotocol/protocolVersion";
const CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";
const agreed = REVISIONS.find(({ version }) => version === "2025-06-18");
const handshakeOnly = REVISIONS.filter(({ handshake }) => handshake);
const statelessOnly = REVISIONS.filter(({ handshake }) => !handshake);

const validation = (headers: Readonly<Record<string, string>>) =>
  new HeaderValidation(
    { header: (name) => (Object.hasOwn(headers, name) ? headers[name] : undefined) },
    { acceptsStream: true },
  );

/** The version that was selected, or the code of the refusal. */
function select(header: string | undefined, meta?: JsonObject, served = REVISIONS, method = "tools/list"): unknown {
  const named = validation(header === undefined ? {} : { "mcp-protocol-version": header });
  const params = meta === undefined ? {} : { _meta: meta };
  try {
    return named.selectRevision({ id: 1, method, params }, agreed, served)?.version;
  } catch (error) {
    if (error instanceof RpcError) return error.code;
    throw error;
  }
}

const naming = (version: string): JsonObject => ({ [VERSION]: version, [CAPABILITIES]: {} });

describe("HeaderValidation.selectRevision", () => {
  test.each([
    ["2026-07-28", naming("2026-07-28"), "2026-07-28"],
    [undefined, naming("2026-07-28"), -32020],
    ["2025-06-18", naming("2026-07-28"), -32020],
    ["2026-07-28", naming("v9"), -32020],
    ["v9", naming("v9"), -32022],
    ["2025-06-18", naming("2025-06-18"), -32022],
    ["2026-07-28", undefined, -32602],
    ["2026-07-28", {}, -32602],
    ["v9", { [CAPABILITIES]: {} }, -32602],
    ["v9", { [VERSION]: 9, [CAPABILITIES]: {} }, -32602],
    [undefined, undefined, "2025-06-18"],
    ["2025-06-18", undefined, "2025-06-18"],
    ["2025-11-25", { progressToken: 1 }, "2025-06-18"],
    ["v9", undefined, -32600],
  ])("returns for the header %j and the _meta %j: %j", (header, meta, outcome) => {
    expect(select(header, meta)).toBe(outcome);
  });

  test("does not compare header and _meta on a server without stateless revisions", () => {
    expect(select("2025-11-25", naming("2026-07-28"), handshakeOnly)).toBe(-32022);
    expect(select(undefined, naming("2026-07-28"), handshakeOnly)).toBe(-32022);
    expect(select("2026-07-28", undefined, handshakeOnly)).toBe(-32600);
  });

  test("requires the version in _meta on a server without handshake revisions", () => {
    expect(select(undefined, undefined, statelessOnly)).toBe(-32602);
    expect(select("2025-11-25", undefined, statelessOnly)).toBe(-32602);
  });

  test("returns no revision before initialize, regardless of the header", () => {
    expect(select("v9", undefined, REVISIONS, "initialize")).toBe("2025-06-18");
    expect(select("v9", undefined, statelessOnly, "initialize")).toBe("2025-06-18");
    expect(select("2026-07-28", undefined, REVISIONS, "initialize")).toBe(-32602);
  });
});

describe("HeaderValidation.oneWayError", () => {
  const refusal = (headers: Record<string, string>, message: JsonObject) =>
    validation(headers).oneWayError(message as never, REVISIONS)?.code;
  const note = { method: "notifications/x" };
  const marked = { method: "notifications/x", params: { _meta: naming("2026-07-28") } };

  test("rejects a notification whose Mcp-Method header differs", () => {
    const stateless = { "mcp-protocol-version": "2026-07-28" };
    expect(refusal(stateless, note)).toBeUndefined();
    expect(refusal({ ...stateless, "mcp-method": "notifications/x" }, note)).toBeUndefined();
    expect(refusal({ ...stateless, "mcp-method": "notifications/y" }, note)).toBe(-32020);
    expect(refusal({ "mcp-method": "notifications/y" }, marked)).toBe(-32020);
    expect(refusal({}, marked)).toBeUndefined();
    expect(refusal({ "mcp-method": "notifications/y" }, note)).toBeUndefined();
  });

  test("rejects an unsupported version, and a response in the stateless revision", () => {
    expect(refusal({ "mcp-protocol-version": "v9" }, note)).toBe(-32600);
    expect(refusal({ "mcp-protocol-version": "v9" }, { id: 1, result: {} })).toBe(-32600);
    expect(refusal({ "mcp-protocol-version": "2026-07-28" }, { id: 1, result: {} })).toBe(-32600);
    expect(refusal({ "mcp-protocol-version": "2025-11-25" }, { id: 1, result: {} })).toBeUndefined();
  });
});
