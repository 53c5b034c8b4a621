import { afterEach, expect, test, vi } from "vitest";
import { runCustomAuth } from "../../../../src/transports/http/auth/authenticator.js";
import type { Identity, RequestHead } from "../../../../src/transports/http/auth/options.js";

const request: RequestHead = {
  method: "POST",
  path: "/mcp",
  query: "",
  remoteAddress: "127.0.0.1",
  isSecure: false,
  header: () => undefined,
};

afterEach(() => void vi.useRealTimers());

test.each([
  { principal: "ada" },
  { principal: "ada", scopes: ["read"] },
  { principal: "ada", scopes: new Set(["read"]) },
  undefined,
])("%j is accepted", async (identity) => {
  expect(await runCustomAuth(() => identity, request)).toBe(identity);
});

test.each([
  { principal: undefined },
  { principal: null },
  { principal: "" },
  { principal: {} },
  { principal: "ada", scopes: "read write" },
])("%j is rejected because it has no principal", async (identity) => {
  await expect(runCustomAuth(() => identity as Identity, request)).rejects.toThrow(
    new TypeError("auth.authenticate must return undefined or { principal, scopes }"),
  );
});

test("a function that never settles times out", async () => {
  vi.useFakeTimers();
  const asked = runCustomAuth(() => new Promise(() => undefined), request);
  const failed = expect(asked).rejects.toThrow("auth.authenticate returned nothing within 10000 ms");
  await vi.advanceTimersByTimeAsync(10_000);
  await failed;
});
