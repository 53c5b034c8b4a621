import { describe, expect, test } from "vitest";
import { Proxies } from "./proxies.js";

describe("proxies", () => {
  const proxies = new Proxies(["127.0.0.1", "10.0.0.0/8", "fd00::/8"]);

  test("are trusted by address and network, in both spellings of IPv4", () => {
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
  ])("from %s with %j tell %j", (address, forwarded, peer) => {
    expect(proxies.peerOf(address, forwarded)).toBe(peer);
  });

  test("that are neither an address nor a network are a mistake", () => {
    for (const entry of ["", "proxy", "10.0.0.0/", "10.0.0.0/33", "::1/129", "10.0.0/8", "10.0.0.0/8/9x"])
      expect(() => new Proxies([entry])).toThrow(`trustProxy has ${JSON.stringify(entry)}`);
    expect(() => new Proxies([1 as never])).toThrow("trustProxy has 1, which is no address and no network");
    for (const odd of [true, "10.0.0.1"])
      expect(() => new Proxies(odd as never)).toThrow("Cannot serve over HTTP: trustProxy must be false or a list");
  });
});
