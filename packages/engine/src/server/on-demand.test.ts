import { expect, test } from "vitest";
import { onDemand } from "./on-demand.js";

test("a part is loaded once, and is there at once from then on", async () => {
  let loads = 0;
  const get = onDemand(async () => {
    loads += 1;
    return { loads };
  });
  const [first, second] = [get(), get()];
  expect(first).toBeInstanceOf(Promise);
  expect(second).toBe(first);
  expect(await first).toEqual({ loads: 1 });
  expect(get()).toEqual({ loads: 1 });
});

test("a part that could not be loaded is tried again", async () => {
  let tries = 0;
  const get = onDemand(async () => {
    tries += 1;
    if (tries === 1) throw new Error("no such file");
    return "part";
  });
  await expect(get()).rejects.toThrow("no such file");
  expect(await get()).toBe("part");
});
