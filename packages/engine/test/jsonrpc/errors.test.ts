import { expect, test } from "vitest";
import {
  internalError,
  invalidParams,
  invalidRequest,
  lifecycleError,
  limitExceeded,
  methodNotFound,
  missingCapability,
  parseError,
  unsupportedProtocolVersion,
  withId,
} from "../../src/jsonrpc/errors.js";
import type { JsonObject } from "../../src/jsonrpc/messages.js";

test.each([
  [parseError("no"), -32700, "Parse error: no", undefined],
  [invalidRequest("no"), -32600, "Invalid request: no", undefined],
  [lifecycleError("ALREADY_INITIALIZED", "Already initialized"), -32600, "Already initialized", undefined],
  [
    limitExceeded("batchMessages", "too many", { max: 1 }),
    -32600,
    "Invalid request: too many",
    { limit: "batchMessages", max: 1 },
  ],
  [methodNotFound("a/b"), -32601, "Method not found: a/b", undefined],
  [methodNotFound("a", "Call it so"), -32601, "Method not found: a. Call it so", undefined],
  [invalidParams("no", { missing: "x" }), -32602, "no", { missing: "x" }],
  [internalError("no"), -32603, "no", undefined],
  [
    unsupportedProtocolVersion("1", ["2"]),
    -32022,
    "Unsupported protocol version",
    { supported: ["2"], requested: "1" },
  ],
])("error %#: has its code, message and data", (error, code, message, data) => {
  expect([error.code, error.message, error.data]).toEqual([code, message, data]);
});

test("missing capabilities are in the data", () => {
  const error = missingCapability({ elicitation: {} });
  expect([error.code, error.data]).toEqual([-32021, { requiredCapabilities: { elicitation: {} } }]);
});

test("missing capabilities are named with their parts", () => {
  const names = (required: JsonObject) => missingCapability(required).message.split(": ")[1];
  expect(names({ elicitation: { url: {} } })).toBe("elicitation.url");
  expect(names({ sampling: { tools: {}, context: {} }, roots: {} })).toBe("sampling.tools, sampling.context, roots");
});

test("an invalid request has the id that could be read", () => {
  expect(invalidRequest("no", "a").id).toBe("a");
});

test("withId keeps code, message and data", () => {
  const { code, message, data, id } = withId(limitExceeded("messageBytes", "too long", { max: 1 }), "a");
  expect([code, message, data, id]).toEqual([
    -32600,
    "Invalid request: too long",
    { limit: "messageBytes", max: 1 },
    "a",
  ]);
});
