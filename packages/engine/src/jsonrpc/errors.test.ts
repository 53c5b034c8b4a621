import { expect, test } from "vitest";
import {
  internalError,
  invalidParams,
  invalidRequest,
  limitExceeded,
  methodNotFound,
  missingCapability,
  numberedError,
  parseError,
  unsupportedVersion,
  withId,
  wrongState,
} from "./errors.js";
import type { JsonObject } from "./json.js";

test.each([
  [parseError("no"), -32700, "Parse error: no", undefined],
  [invalidRequest("no"), -32600, "Invalid request: no", undefined],
  [wrongState("Already initialized"), -32600, "Already initialized", undefined],
  [
    limitExceeded("batchMessages", "too many", { most: 1 }),
    -32600,
    "Invalid request: too many",
    { limit: "batchMessages", most: 1 },
  ],
  [methodNotFound("a/b"), -32601, "Method not found: a/b", undefined],
  [methodNotFound("a", "Call it so"), -32601, "Method not found: a. Call it so", undefined],
  [invalidParams("no", { missing: "x" }), -32602, "no", { missing: "x" }],
  [internalError("no"), -32603, "no", undefined],
  [numberedError(-32001, "no"), -32001, "no", undefined],
  [unsupportedVersion("1", ["2"]), -32022, "Unsupported protocol version", { supported: ["2"], requested: "1" }],
])("error %#: has its code, its words and its data", (error, code, message, data) => {
  expect([error.code, error.message, error.data]).toEqual([code, message, data]);
});

test("missing capabilities are told as an object", () => {
  const error = missingCapability({ elicitation: {} });
  expect([error.code, error.data]).toEqual([-32021, { requiredCapabilities: { elicitation: {} } }]);
});

test("missing capabilities are named down to their parts", () => {
  const words = (required: JsonObject) => missingCapability(required).message.split(": ")[1];
  expect(words({ elicitation: { url: {} } })).toBe("elicitation.url");
  expect(words({ sampling: { tools: {}, context: {} }, roots: {} })).toBe("sampling.tools, sampling.context, roots");
});

test("an invalid request names the id that could be read", () => {
  expect(invalidRequest("no", "a").id).toBe("a");
});

test("an error gets an id without losing anything else", () => {
  const { code, message, data, id } = withId(limitExceeded("messageBytes", "too long", { most: 1 }), "a");
  expect([code, message, data, id]).toEqual([
    -32600,
    "Invalid request: too long",
    { limit: "messageBytes", most: 1 },
    "a",
  ]);
});
