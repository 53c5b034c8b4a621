import { describe, expect, test } from "vitest";
import { nearestBits } from "../../../src/vectors/vector-table.js";

const LEFT_OUT = 0xffff;

describe("nearestBits", () => {
  test("gives the nearest rows in their order", () => {
    expect([...nearestBits(Uint16Array.of(5, 2, 9, 0, 7), 16, 3)]).toEqual([0, 1, 3]);
  });

  test("takes the first of those that are equally near", () => {
    expect([...nearestBits(Uint16Array.of(4, 1, 4, 4, 4), 16, 3)]).toEqual([0, 1, 2]);
  });

  test("gives all rows where there are no more than wanted", () => {
    expect([...nearestBits(Uint16Array.of(4, 16, 0), 16, 9)]).toEqual([0, 1, 2]);
  });

  test("never gives a row that is left out", () => {
    expect([...nearestBits(Uint16Array.of(LEFT_OUT, 16, LEFT_OUT, 3), 16, 9)]).toEqual([1, 3]);
    expect([...nearestBits(Uint16Array.of(LEFT_OUT, LEFT_OUT), 16, 1)]).toEqual([]);
  });
});
