import { describe, expect, test } from "vitest";
import { RpcError } from "../jsonrpc/errors.js";
import type { JsonObject } from "../jsonrpc/json.js";
import { negotiate, REVISIONS, selectRevision, versionsOf } from "./select.js";

const VERSION = "io.modelcontextprotocol/protocolVersion";
const CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";
const agreed = REVISIONS.find(({ version }) => version === "2025-06-18");
const handshakeOnly = REVISIONS.filter(({ handshake }) => handshake);
const statelessOnly = REVISIONS.filter(({ handshake }) => !handshake);

const select = (meta?: unknown, served = REVISIONS, session = agreed) =>
  selectRevision({ id: 1, method: "tools/list", params: { _meta: meta } as JsonObject }, session, served)?.version;

function refusal(run: () => unknown): [code: number, message: string, data: unknown] {
  try {
    run();
  } catch (error) {
    if (error instanceof RpcError) return [error.code, error.message, error.data];
  }
  throw new Error("nothing was refused");
}

test("the revisions are listed newest first", () => {
  expect(versionsOf(REVISIONS)).toEqual(["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"]);
});

describe("selectRevision", () => {
  test("takes what _meta names, whatever the session agreed on", () => {
    expect(select({ [VERSION]: "2026-07-28", [CAPABILITIES]: {} })).toBe("2026-07-28");
    expect(select({ [VERSION]: "2026-07-28", [CAPABILITIES]: {} }, REVISIONS, undefined)).toBe("2026-07-28");
  });

  test.each([undefined, null, [], "text", {}, { progressToken: 1 }, { "other/protocolVersion": "2026-07-28" }])(
    "takes what the session agreed on where _meta is %j",
    (meta) => {
      expect(select(meta)).toBe("2025-06-18");
    },
  );

  test("gives nothing where neither is there", () => {
    expect(selectRevision({ id: 1, method: "tools/list" }, undefined, REVISIONS)).toBeUndefined();
  });

  test("leaves metadata that is half there to the reader of the stateless revision", () => {
    expect(select({ [CAPABILITIES]: {} })).toBe("2026-07-28");
    expect(select({ [VERSION]: 20260728, [CAPABILITIES]: {} })).toBe("2026-07-28");
    expect(select({ [VERSION]: "1999-01-01" })).toBe("2026-07-28");
  });

  test("refuses a version that is not served, and lists those that are", () => {
    expect(refusal(() => select({ [VERSION]: "2099-01-01", [CAPABILITIES]: {} }))).toEqual([
      -32022,
      "Unsupported protocol version",
      {
        supported: ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"],
        requested: "2099-01-01",
      },
    ]);
  });

  test("refuses a revision with a handshake, and says what it needs", () => {
    const [code, message] = refusal(() => select({ [VERSION]: "2025-11-25", [CAPABILITIES]: {} }));
    expect(code).toBe(-32022);
    expect(message).toBe("Unsupported protocol version. 2025-11-25 needs a handshake: send initialize");
  });

  test("refuses every version in _meta where only handshakes are served", () => {
    expect(refusal(() => select({ [VERSION]: "2026-07-28", [CAPABILITIES]: {} }, handshakeOnly))).toEqual([
      -32022,
      "Unsupported protocol version",
      { supported: ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"], requested: "2026-07-28" },
    ]);
  });
});

describe("negotiate", () => {
  test.each(["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"])("agrees to %s", (version) => {
    expect(negotiate(version, REVISIONS).version).toBe(version);
  });

  test.each(["2026-07-28", "2027-01-01", "1.0.0", "", "2024-10-07", "latest"])(
    "offers 2025-11-25 for %j",
    (version) => {
      expect(negotiate(version, REVISIONS).version).toBe("2025-11-25");
    },
  );

  test("offers the newest of those that are served", () => {
    const older = REVISIONS.filter(({ version }) => version < "2025-06-18");
    expect(negotiate("2025-11-25", older).version).toBe("2025-03-26");
  });

  test("refuses where no revision with a handshake is served", () => {
    expect(refusal(() => negotiate("2025-11-25", statelessOnly))).toEqual([
      -32022,
      "Unsupported protocol version",
      { supported: ["2026-07-28"], requested: "2025-11-25" },
    ]);
  });
});
