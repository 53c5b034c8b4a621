import { describe, expect, test } from "vitest";
import { Guard, type GuardPlace } from "./guard.js";
import type { HttpRequest } from "./host.js";

const request = (headers: Readonly<Record<string, string>>) =>
  ({ header: (name: string) => headers[name] }) as unknown as HttpRequest;

function allows(place: Partial<GuardPlace>, host: string, origin?: string): boolean {
  const guard = new Guard({
    boundTo: "127.0.0.1",
    publicUrl: undefined,
    allowedHosts: [],
    allowedOrigins: [],
    ...place,
  });
  return guard.refusal(request({ host, ...(origin !== undefined && { origin }) })) === undefined;
}

describe("the guard of a server on this machine", () => {
  test.each(["localhost", "localhost:3000", "127.0.0.1:80", "127.9.9.9", "[::1]:3000", "LOCALHOST"])(
    "knows %s",
    (host) => {
      expect(allows({}, host)).toBe(true);
    },
  );

  test.each([
    "",
    "evil.example",
    "localhost.evil.example",
    "192.168.0.2",
    "[fe80::1]",
    "localhost:x",
    "127.0.0.1.nip.io",
  ])("does not know %j", (host) => {
    expect(allows({}, host)).toBe(false);
  });

  test("lets pages of this machine in, on any port, and of no other", () => {
    for (const origin of ["http://localhost", "https://127.0.0.1:8443", "http://[::1]:5"])
      expect(allows({}, "localhost:3000", origin)).toBe(true);
    for (const origin of ["null", "", "http://evil.example", "file:///x", "http://localhost.evil.example", "localhost"])
      expect(allows({}, "localhost:3000", origin)).toBe(false);
  });
});

describe("the guard of a server that others reach", () => {
  const place = { boundTo: "0.0.0.0" };

  test("knows addresses, because only names can be made to point elsewhere", () => {
    for (const host of ["192.168.0.2:3000", "[2001:db8::1]:3000", "localhost"]) expect(allows(place, host)).toBe(true);
    expect(allows(place, "evil.example")).toBe(false);
  });

  test("lets pages of its own address in, and not those of the visitor's machine", () => {
    expect(allows(place, "192.168.0.2:3000", "http://192.168.0.2:3000")).toBe(true);
    expect(allows(place, "192.168.0.2:3000", "http://192.168.0.2:3001")).toBe(false);
    expect(allows(place, "192.168.0.2:3000", "http://localhost:3000")).toBe(false);
  });

  test("knows its public name and its pages", () => {
    const known = { ...place, publicUrl: "https://mcp.example:8443/mcp" };
    for (const host of ["mcp.example", "mcp.example:8443", "mcp.example:3000"]) expect(allows(known, host)).toBe(true);
    expect(allows(known, "mcp.example", "https://mcp.example:8443")).toBe(true);
    expect(allows(known, "mcp.example", "https://other.example")).toBe(false);
  });
});

describe("the guard inside another host", () => {
  const place = { boundTo: undefined };

  test("leaves the name to it, unless it is told here", () => {
    expect(allows(place, "anything.example")).toBe(true);
    expect(allows({ ...place, allowedHosts: ["mcp.example"] }, "anything.example")).toBe(false);
    expect(allows({ ...place, allowedHosts: ["mcp.example"] }, "mcp.example")).toBe(true);
    expect(allows({ ...place, publicUrl: "https://mcp.example" }, "anything.example")).toBe(false);
  });

  test("lets pages of the same name in alone", () => {
    expect(allows(place, "mcp.example", "https://mcp.example")).toBe(true);
    expect(allows(place, "mcp.example", "https://evil.example")).toBe(false);
    expect(allows({ ...place, allowedOrigins: ["*"] }, "mcp.example", "https://evil.example")).toBe(true);
  });
});

test("a refusal says what was refused and what to do", () => {
  const guard = new Guard({ boundTo: "127.0.0.1", publicUrl: undefined, allowedHosts: [], allowedOrigins: [] });
  expect(guard.refusal(request({ host: "evil.example" }))).toBe(
    'the server is not known as "evil.example"; add the name to allowedHosts',
  );
  expect(guard.refusal(request({ host: "localhost", origin: "https://evil.example" }))).toBe(
    'pages of "https://evil.example" may not call this server; add the origin to allowedOrigins',
  );
});
