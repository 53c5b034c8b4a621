import { expect, test } from "vitest";
import { lazy } from "../../src/server/runtime.js";

test("a value is loaded once, and returned synchronously from then on", async () => {
  let loads = 0;
  const get = lazy(async () => {
    loads += 1;
    return { loads };
  });
  const [first, second] = [get(), get()];
  expect(first).toBeInstanceOf(Promise);
  expect(second).toBe(first);
  expect(await first).toEqual({ loads: 1 });
  expect(get()).toEqual({ loads: 1 });
});

test("a failed load is retried", async () => {
  let tries = 0;
  const get = lazy(async () => {
    tries += 1;
    if (tries === 1) throw new Error("no such file");
    return "part";
  });
  await expect(get()).rejects.toThrow("no such file");
  expect(await get()).toBe("part");
});
