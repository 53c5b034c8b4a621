import { afterEach, expect, test, vi } from "vitest";
import type { Identity, RequestHead } from "./options.js";
import { askOwnWay } from "./own-way.js";

const request: RequestHead = {
  method: "POST",
  path: "/mcp",
  query: "",
  peer: "127.0.0.1",
  isSecure: false,
  header: () => undefined,
};

afterEach(() => void vi.useRealTimers());

test.each([
  { principal: "ada" },
  { principal: "ada", scopes: ["read"] },
  { principal: "ada", scopes: new Set(["read"]) },
  undefined,
])("%j is taken as it is", async (identity) => {
  expect(await askOwnWay(() => identity, request)).toBe(identity);
});

test.each([
  { principal: undefined },
  { principal: null },
  { principal: "" },
  { principal: {} },
  { principal: "ada", scopes: "read write" },
])("%j is nobody in particular, and lets nobody in", async (identity) => {
  await expect(askOwnWay(() => identity as Identity, request)).rejects.toThrow(
    new TypeError("auth.authenticate must give undefined or { principal, scopes }"),
  );
});

test("a way that never ends is given up", async () => {
  vi.useFakeTimers();
  const asked = askOwnWay(() => new Promise(() => undefined), request);
  const failed = expect(asked).rejects.toThrow("auth.authenticate has given nothing within 10000 ms");
  await vi.advanceTimersByTimeAsync(10_000);
  await failed;
});
