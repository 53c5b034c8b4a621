import { describe, expect, test } from "vitest";
import { RpcError } from "../../src/jsonrpc/errors.js";
import type { JsonObject } from "../../src/jsonrpc/messages.js";
import { negotiateRevision, REVISIONS, selectRevision, versionsOf } from "../../src/revisions/negotiation.js";

const VERSION = "io.modelcontextprotocol/protocolVersion";
const CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";
const agreed = REVISIONS.find(({ version }) => version === "2025-06-18");
const handshakeOnly = REVISIONS.filter(({ handshake }) => handshake);
const statelessOnly = REVISIONS.filter(({ handshake }) => !handshake);

const select = (meta?: unknown, served = REVISIONS, session = agreed) =>
  selectRevision({ id: 1, method: "tools/list", params: { _meta: meta } as JsonObject }, session, served)?.version;

function thrownBy(run: () => unknown): [code: number, message: string, data: unknown] {
  try {
    run();
  } catch (error) {
    if (error instanceof RpcError) return [error.code, error.message, error.data];
  }
  throw new Error("nothing was thrown");
}

test("the revisions are listed newest first", () => {
  expect(versionsOf(REVISIONS)).toEqual(["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"]);
});

describe("selectRevision", () => {
  test("uses the version in _meta, regardless of the session", () => {
    expect(select({ [VERSION]: "2026-07-28", [CAPABILITIES]: {} })).toBe("2026-07-28");
    expect(select({ [VERSION]: "2026-07-28", [CAPABILITIES]: {} }, REVISIONS, undefined)).toBe("2026-07-28");
  });

  test.each([undefined, null, [], "text", {}, { progressToken: 1 }, { "other/protocolVersion": "2026-07-28" }])(
    "uses the revision of the session if _meta is %j",
    (meta) => {
      expect(select(meta)).toBe("2025-06-18");
    },
  );

  test("returns undefined without both", () => {
    expect(selectRevision({ id: 1, method: "tools/list" }, undefined, REVISIONS)).toBeUndefined();
  });

  test("returns the stateless revision for an incomplete _meta", () => {
    expect(select({ [CAPABILITIES]: {} })).toBe("2026-07-28");
    expect(select({ [VERSION]: 20260728, [CAPABILITIES]: {} })).toBe("2026-07-28");
    expect(select({ [VERSION]: "1999-01-01" })).toBe("2026-07-28");
  });

  test("rejects an unsupported version and lists the supported ones", () => {
    expect(thrownBy(() => select({ [VERSION]: "2099-01-01", [CAPABILITIES]: {} }))).toEqual([
      -32022,
      "Unsupported protocol version",
      {
        supported: ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"],
        requested: "2099-01-01",
      },
    ]);
  });

  test("rejects a revision with a handshake and says how to start it", () => {
    const [code, message] = thrownBy(() => select({ [VERSION]: "2025-11-25", [CAPABILITIES]: {} }));
    expect(code).toBe(-32022);
    expect(message).toBe("Unsupported protocol version. 2025-11-25 needs a handshake: send initialize");
  });

  test("rejects every version in _meta if only handshakes are supported", () => {
    expect(thrownBy(() => select({ [VERSION]: "2026-07-28", [CAPABILITIES]: {} }, handshakeOnly))).toEqual([
      -32022,
      "Unsupported protocol version",
      { supported: ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"], requested: "2026-07-28" },
    ]);
  });
});

describe("negotiateRevision", () => {
  test.each(["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"])("accepts %s", (version) => {
    expect(negotiateRevision(version, REVISIONS).version).toBe(version);
  });

  test.each(["2026-07-28", "2027-01-01", "1.0.0", "", "2024-10-07", "latest"])(
    "offers 2025-11-25 for %j",
    (version) => {
      expect(negotiateRevision(version, REVISIONS).version).toBe("2025-11-25");
    },
  );

  test("offers the newest supported one", () => {
    const older = REVISIONS.filter(({ version }) => version < "2025-06-18");
    expect(negotiateRevision("2025-11-25", older).version).toBe("2025-03-26");
  });

  test("rejects if no revision with a handshake is supported", () => {
    expect(thrownBy(() => negotiateRevision("2025-11-25", statelessOnly))).toEqual([
      -32022,
      "Unsupported protocol version",
      { supported: ["2026-07-28"], requested: "2025-11-25" },
    ]);
  });
});
