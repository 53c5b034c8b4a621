import { describe, expect, test } from "vitest";
import { TrustedProxies } from "../../../src/transports/http/node-adapter.js";

describe("trusted proxies", () => {
  const proxies = new TrustedProxies(["127.0.0.1", "10.0.0.0/8", "fd00::/8"]);

  test("match addresses and networks, including IPv4-mapped addresses", () => {
    for (const address of ["127.0.0.1", "::ffff:127.0.0.1", "10.255.0.1", "fd00::1"])
      expect(proxies.isTrusted(address)).toBe(true);
    for (const address of [undefined, "", "127.0.0.2", "11.0.0.1", "fe80::1", "10.0.0.0/8", "localhost"])
      expect(proxies.isTrusted(address)).toBe(false);
  });

  test.each([
    ["127.0.0.1", "192.0.2.1", "192.0.2.1"],
    ["127.0.0.1", "1.1.1.1, 192.0.2.1, 10.0.0.9", "192.0.2.1"],
    ["127.0.0.1", "10.0.0.1, 10.0.0.2", "10.0.0.1"],
    ["127.0.0.1", "2001:db8::1", "2001:db8::1"],
    ["127.0.0.1", "192.0.2.1:4711", "192.0.2.1"],
    ["127.0.0.1", "192.0.2.1:4711, 10.0.0.1:80", "192.0.2.1"],
    ["127.0.0.1", "[2001:db8::1]:80", "2001:db8::1"],
    ["127.0.0.1", "[2001:db8::1]", "2001:db8::1"],
    ["127.0.0.1", "1.1.1.1, unknown", undefined],
    ["127.0.0.1", "", undefined],
    ["127.0.0.1", undefined, undefined],
    ["192.0.2.9", "1.1.1.1", undefined],
  ])("from %s with %j return %j", (address, forwarded, expected) => {
    expect(proxies.clientAddress(address, forwarded)).toBe(expected);
  });

  test("must be addresses or networks", () => {
    for (const entry of ["", "proxy", "10.0.0.0/", "10.0.0.0/33", "::1/129", "10.0.0/8", "10.0.0.0/8/9x"])
      expect(() => new TrustedProxies([entry])).toThrow(`trustProxy has ${JSON.stringify(entry)}`);
    expect(() => new TrustedProxies([1 as never])).toThrow(
      "trustProxy has 1, which is neither an address nor a network",
    );
    for (const odd of [true, "10.0.0.1"])
      expect(() => new TrustedProxies(odd as never)).toThrow(
        "Cannot serve over HTTP: trustProxy must be false or a list",
      );
  });
});
