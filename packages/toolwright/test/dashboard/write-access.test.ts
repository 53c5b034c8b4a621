import type { PageRequest } from "@toolwright/engine/http";
import { expect, test } from "vitest";
import { WriteAccess } from "../../src/dashboard/write-access.js";

const TOKEN = "a-token-of-the-tests";

/** A request of a browser. */
function requestOf(setCookie = "", principal?: string, host = "localhost:8080"): PageRequest {
  const headers: Record<string, string> = { host, cookie: `theme=dark; ${setCookie.split(";")[0]}` };
  return {
    method: "GET",
    path: "/",
    query: "",
    isSecure: false,
    principal,
    header: (name) => headers[name],
    read: () => Promise.resolve(undefined),
  };
}

test("an unlocked browser is locked after 12 hours", () => {
  let now = 0;
  const access = new WriteAccess(TOKEN, () => now);
  const cookie = access.unlock(requestOf(), TOKEN);
  now = 12 * 3_600_000 - 1;
  expect(access.isUnlocked(requestOf(cookie))).toBe(true);
  now += 1;
  expect(access.isUnlocked(requestOf(cookie))).toBe(false);
});

test("a cookie belongs to the principal that unlocked, and to one server", () => {
  const access = new WriteAccess(TOKEN);
  const cookie = access.unlock(requestOf("", "ada"), TOKEN);
  expect(access.isUnlocked(requestOf(cookie, "ada"))).toBe(true);
  expect(access.isUnlocked(requestOf(cookie, "eve"))).toBe(false);
  expect(access.isUnlocked(requestOf(cookie))).toBe(false);
  expect(new WriteAccess(TOKEN).isUnlocked(requestOf(cookie, "ada"))).toBe(false);
});

test("each unlocked browser has its own value, and 100 are remembered", () => {
  const access = new WriteAccess(TOKEN);
  const cookies = Array.from({ length: 101 }, () => access.unlock(requestOf(), TOKEN) ?? "");
  expect(new Set(cookies).size).toBe(101);
  expect(cookies.map((cookie) => access.isUnlocked(requestOf(cookie))).indexOf(true)).toBe(1);
});

test("servers on other ports of a host have other cookies", () => {
  const access = new WriteAccess(TOKEN);
  expect(access.unlock(requestOf(), TOKEN)).toMatch(/^toolwright_write_8080=/);
  expect(access.unlock(requestOf("", undefined, "dashboard.example"), TOKEN)).toMatch(/^toolwright_write_0=/);
});
