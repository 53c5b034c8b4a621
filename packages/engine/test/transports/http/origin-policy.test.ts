import { describe, expect, test } from "vitest";
import { OriginPolicy, type OriginPolicyOptions } from "../../../src/transports/http/access-control.js";
import type { HttpRequest } from "../../../src/transports/http/http-message.js";

const request = (headers: Readonly<Record<string, string>>) =>
  ({ header: (name: string) => headers[name] }) as unknown as HttpRequest;

function allows(options: Partial<OriginPolicyOptions>, host: string, origin?: string): boolean {
  const policy = new OriginPolicy({
    listenAddress: "127.0.0.1",
    publicUrl: undefined,
    allowedHosts: [],
    allowedOrigins: [],
    ...options,
  });
  return policy.rejectionReason(request({ host, ...(origin !== undefined && { origin }) })) === undefined;
}

describe("the origin policy of a loopback server", () => {
  test.each(["localhost", "localhost:3000", "127.0.0.1:80", "127.9.9.9", "[::1]:3000", "LOCALHOST"])(
    "allows the host %s",
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
  ])("rejects the host %j", (host) => {
    expect(allows({}, host)).toBe(false);
  });

  test("allows pages of this machine, on any port, and no others", () => {
    for (const origin of ["http://localhost", "https://127.0.0.1:8443", "http://[::1]:5"])
      expect(allows({}, "localhost:3000", origin)).toBe(true);
    for (const origin of ["null", "", "http://evil.example", "file:///x", "http://localhost.evil.example", "localhost"])
      expect(allows({}, "localhost:3000", origin)).toBe(false);
  });
});

describe("the origin policy of a public server", () => {
  const options = { listenAddress: "0.0.0.0" };

  test("allows IP addresses, because DNS rebinding needs a name", () => {
    for (const host of ["192.168.0.2:3000", "[2001:db8::1]:3000", "localhost"])
      expect(allows(options, host)).toBe(true);
    expect(allows(options, "evil.example")).toBe(false);
  });

  test("allows pages of its own address, but not those of the visitor's machine", () => {
    expect(allows(options, "192.168.0.2:3000", "http://192.168.0.2:3000")).toBe(true);
    expect(allows(options, "192.168.0.2:3000", "http://192.168.0.2:3001")).toBe(false);
    expect(allows(options, "192.168.0.2:3000", "http://localhost:3000")).toBe(false);
  });

  test("allows its public host and origin", () => {
    const publicOptions = { ...options, publicUrl: "https://mcp.example:8443/mcp" };
    for (const host of ["mcp.example", "mcp.example:8443", "mcp.example:3000"])
      expect(allows(publicOptions, host)).toBe(true);
    expect(allows(publicOptions, "mcp.example", "https://mcp.example:8443")).toBe(true);
    expect(allows(publicOptions, "mcp.example", "https://other.example")).toBe(false);
  });
});

describe("the origin policy of a fetch handler", () => {
  const options = { listenAddress: undefined };

  test("allows any host unless hosts are configured", () => {
    expect(allows(options, "anything.example")).toBe(true);
    expect(allows({ ...options, allowedHosts: ["mcp.example"] }, "anything.example")).toBe(false);
    expect(allows({ ...options, allowedHosts: ["mcp.example"] }, "mcp.example")).toBe(true);
    expect(allows({ ...options, publicUrl: "https://mcp.example" }, "anything.example")).toBe(false);
  });

  test("allows only pages of the same host", () => {
    expect(allows(options, "mcp.example", "https://mcp.example")).toBe(true);
    expect(allows(options, "mcp.example", "https://evil.example")).toBe(false);
    expect(allows({ ...options, allowedOrigins: ["*"] }, "mcp.example", "https://evil.example")).toBe(true);
  });
});

test("a rejection names the value and the option", () => {
  const policy = new OriginPolicy({
    listenAddress: "127.0.0.1",
    publicUrl: undefined,
    allowedHosts: [],
    allowedOrigins: [],
  });
  expect(policy.rejectionReason(request({ host: "evil.example" }))).toBe(
    'the host "evil.example" is not allowed; add it to allowedHosts',
  );
  expect(policy.rejectionReason(request({ host: "localhost", origin: "https://evil.example" }))).toBe(
    'the origin "https://evil.example" is not allowed; add it to allowedOrigins',
  );
});
