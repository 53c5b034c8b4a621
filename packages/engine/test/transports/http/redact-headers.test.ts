import { expect, test } from "vitest";
import { redactHeaders } from "../../../src/transports/http/http-message.js";

test("credentials in headers are redacted", () => {
  const shown = redactHeaders([
    ["host", "tools.example"],
    ["authorization", "Bearer abc"],
    ["proxy-authorization", "Basic abc"],
    ["cookie", "session=abc"],
    ["x-team", "blue"],
    ["accept", ["application/json", "text/event-stream"]],
    ["empty", undefined],
    ["__proto__", "kept apart"],
  ]);
  expect(JSON.stringify(shown)).toBe(
    '{"host":"tools.example","authorization":"[redacted]","proxy-authorization":"[redacted]","cookie":"[redacted]","x-team":"blue","accept":"application/json, text/event-stream","empty":"","__proto__":"kept apart"}',
  );
  expect(Object.isFrozen(shown)).toBe(true);
});
