import { expect, test } from "vitest";
import { RpcError } from "../../../src/jsonrpc/errors.js";
import { ToolError } from "../../../src/protocol/outcome.js";
import { createRedaction, redactError } from "../../../src/server/logging/redaction.js";

const redaction = createRedaction({ values: ["k-12345678"] });

test("an error without secrets is returned as it is", () => {
  const error = new ToolError("cannot open /home/ada/notes.txt", { code: "NO_FILE", details: { path: "/home/ada" } });
  expect(redactError(redaction, error)).toBe(error);
});

test("secrets are redacted in the message, the details and the names in them", () => {
  const error = new ToolError("the key is k-12345678", {
    code: "BAD_KEY",
    details: { deep: [{ "k-12345678": "k-12345678", password: "hunter2 and more" }] },
  });
  const redacted = redactError(redaction, error);
  expect(redacted).toBeInstanceOf(ToolError);
  expect(redacted.message).toBe("the key is [redacted]");
  expect(redacted.code).toBe("BAD_KEY");
  expect(redacted.details).toEqual({ deep: [{ "[redacted]": "[redacted]", password: "[redacted]" }] });
  expect(redacted.cause).toBe(error);
});

test("secrets in a hint are redacted, and a hint without secrets is kept", () => {
  const hint = { action: "sign in again", tool: "sign_in", arguments: { user: "ada" } };
  expect(redactError(redaction, new ToolError("the key k-12345678 has expired", { hint }))).toMatchObject({
    message: "the key [redacted] has expired",
    hint,
  });
  const secret = new ToolError("expired", { hint: { ...hint, arguments: { key: "k-12345678" } } });
  expect(redactError(redaction, secret).hint).toEqual({ ...hint, arguments: { key: "[redacted]" } });
});

test("a protocol error keeps its code and class", () => {
  const redacted = redactError(redaction, new RpcError(-32603, "k-12345678", { key: "k-12345678" }));
  expect(redacted).toBeInstanceOf(RpcError);
  expect({ code: redacted.code, message: redacted.message, data: redacted.data }).toMatchObject({
    code: -32603,
    message: "[redacted]",
    data: { key: "[redacted]" },
  });
});

test("details that JSON cannot represent are left to the encoder", () => {
  const details: Record<string, unknown> = {};
  details["self"] = details;
  const error = new ToolError("fails", { details: details as never });
  expect(redactError(redaction, error)).toBe(error);
});
