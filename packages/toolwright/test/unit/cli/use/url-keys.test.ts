import { expect, test } from "vitest";
import { keysInPath } from "../../../../src/cli/use/show-target.js";

test.each([
  ["https://a.example/api/mcp/s/NTQ2MDk4MjMtYTk1Zi00/mcp", ["NTQ2MDk4MjMtYTk1Zi00"]],
  ["https://a.example/f81d4fae-7dec-11d0-a765-00a0c91e6bf6/sse?x=1", ["f81d4fae-7dec-11d0-a765-00a0c91e6bf6"]],
  ["https://a.example/550e8400-e29b-41d4-a716-446655440000", ["550e8400-e29b-41d4-a716-446655440000"]],
  ["https://a.example/507f1f77bcf86cd799439011/mcp", ["507f1f77bcf86cd799439011"]],
  ["https://a.example/9f86d081884c7d659a2feaa0c55ad015", ["9f86d081884c7d659a2feaa0c55ad015"]],
  ["https://a.example/t/k7x2m9q4w1z8r5t3/mcp", ["k7x2m9q4w1z8r5t3"]],
  ["https://a.example/qwertzuiopasdfghjklyxcvbnmqwertzu", ["qwertzuiopasdfghjklyxcvbnmqwertzu"]],
  ["https://9f86d081884c7d659a2feaa0c55ad015.example/mcp", []],
  ["https://a.example/modelContextProtocolServer/v1.2.3-beta.4", []],
  ["https://a.example/@scope/model-context-protocol-server-2026-07-28/mcp", []],
  ["https://a.example/my_long_server_name_with_v2/1234567890123456", []],
  ["no address", []],
])("of %s these are keys: %j", (url, keys) => {
  expect(keysInPath(url)).toEqual(keys);
});
