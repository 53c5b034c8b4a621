import { expect, test } from "vitest";
import { isLoopback } from "../../../src/config/address.js";

test("only this machine reaches loopback addresses", () => {
  expect(["127.0.0.1", "127.8.8.8", "localhost", "::1"].filter(isLoopback)).toHaveLength(4);
  expect(["0.0.0.0", "::", "192.168.0.1", "127.example", "1270.0.0.1"].filter(isLoopback)).toEqual([]);
});
