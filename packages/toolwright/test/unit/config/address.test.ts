import { expect, test } from "vitest";
import { readAddress } from "../../../src/config/address.js";

test.each([
  ["8080", "127.0.0.1", 8080],
  [":0", "127.0.0.1", 0],
  ["0.0.0.0", "0.0.0.0", 3000],
  ["0.0.0.0:8080", "0.0.0.0", 8080],
  ["[::1]", "::1", 3000],
  ["[::1]:8080", "::1", 8080],
  ["localhost:65535", "localhost", 65_535],
  ["my-machine.example", "my-machine.example", 3000],
])("%j is %s, port %i", (text, host, port) => {
  expect(readAddress(text)).toEqual({ host, port });
});

test.each([
  "",
  "65536",
  "::1",
  "::1:8080",
  "1:2",
  "99999999",
  "http://127.0.0.1:80",
  "localhost:http",
  "a b:80",
  "[::1",
  ":",
  "host:",
])("%j is no address", (text) => {
  expect(readAddress(text)).toBeUndefined();
});
