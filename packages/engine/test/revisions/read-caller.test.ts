import { describe, expect, test } from "vitest";
import { RpcError } from "../../src/jsonrpc/errors.js";
import type { JsonObject } from "../../src/jsonrpc/messages.js";
import type { Caller } from "../../src/protocol/types.js";
import { REVISIONS } from "../../src/revisions/negotiation.js";

const VERSION = "io.modelcontextprotocol/protocolVersion";
const CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";
const CLIENT = "io.modelcontextprotocol/clientInfo";
const LEVEL = "io.modelcontextprotocol/logLevel";
const sessionCaller: Caller = { info: { name: "a" }, capabilities: { sampling: {} }, logLevel: "info" };

const read = (version: string, params?: unknown): Caller | undefined =>
  REVISIONS.find((revision) => revision.version === version)?.readCaller(
    { id: 1, method: "tools/list", params: params as JsonObject },
    sessionCaller,
  );

describe("the stateless revision", () => {
  test("reads the caller from the request only", () => {
    const meta = { [VERSION]: "2026-07-28", [CAPABILITIES]: { elicitation: {} }, [LEVEL]: "debug", other: 1 };
    expect(read("2026-07-28", { _meta: { ...meta, [CLIENT]: { name: "b", version: "1" } } })).toEqual({
      info: { name: "b", version: "1" },
      capabilities: { elicitation: {} },
      logLevel: "debug",
    });
    expect(read("2026-07-28", { _meta: { [VERSION]: "2026-07-28", [CAPABILITIES]: {} } })).toEqual({
      info: undefined,
      capabilities: {},
      logLevel: undefined,
    });
  });

  test.each([
    [undefined, "_meta"],
    [{}, "_meta"],
    [{ _meta: null }, "_meta"],
    [{ _meta: [] }, "_meta"],
    [{ _meta: {} }, VERSION],
    [{ _meta: { [VERSION]: 1, [CAPABILITIES]: {} } }, VERSION],
    [{ _meta: { [VERSION]: "2026-07-28" } }, CAPABILITIES],
    [{ _meta: { [VERSION]: "2026-07-28", [CAPABILITIES]: [] } }, CAPABILITIES],
    [{ _meta: { [VERSION]: "2026-07-28", [CAPABILITIES]: null } }, CAPABILITIES],
  ])("rejects params %j and names what is missing", (params, missing) => {
    try {
      read("2026-07-28", params);
      expect.unreachable();
    } catch (error) {
      expect(error).toBeInstanceOf(RpcError);
      expect(error).toMatchObject({ code: -32602, data: { missing } });
    }
  });

  test.each([{ [CLIENT]: "text" }, { [LEVEL]: "verbose" }, { [LEVEL]: 3 }, { [LEVEL]: null }])(
    "rejects %j, which has the wrong type",
    (extra) => {
      expect(() => read("2026-07-28", { _meta: { [VERSION]: "2026-07-28", [CAPABILITIES]: {}, ...extra } })).toThrow(
        RpcError,
      );
    },
  );
});

test.each(["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"])(
  "%s returns the caller of the session",
  (version) => {
    expect(read(version, { _meta: { [CLIENT]: { name: "b" } } })).toEqual({
      info: { name: "a" },
      capabilities: { sampling: {} },
      logLevel: "info",
    });
  },
);
