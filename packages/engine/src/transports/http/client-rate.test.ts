import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { ClientRate } from "./client-rate.js";

beforeEach(() => void vi.useFakeTimers({ toFake: ["hrtime"] }));
afterEach(() => void vi.useRealTimers());

describe("the rate of clients", () => {
  test("allows a burst, then so many each second, and says how long to wait", () => {
    const rate = new ClientRate({ burst: 2, perSecond: 4 }, 10);
    expect([rate.take("ada"), rate.take("ada"), rate.take("ada")]).toEqual([0, 0, 250]);
    vi.advanceTimersByTime(100);
    expect(rate.take("ada")).toBe(150);
    vi.advanceTimersByTime(150);
    expect(rate.take("ada")).toBe(0);
    vi.advanceTimersByTime(60_000);
    expect([rate.take("ada"), rate.take("ada"), rate.take("ada")]).toEqual([0, 0, 250]);
  });

  test("is another for each client, and looking costs nothing", () => {
    const rate = new ClientRate({ burst: 1, perSecond: 1 }, 10);
    expect([rate.look("ada"), rate.take("ada"), rate.look("ada")]).toEqual([0, 0, 1000]);
    expect([rate.look("bob"), rate.take("bob")]).toEqual([0, 0]);
  });

  test("remembers so many clients: those with a full bucket go first, then the oldest", () => {
    const rate = new ClientRate({ burst: 1, perSecond: 1 }, 2);
    rate.take("ada");
    vi.advanceTimersByTime(5000);
    rate.take("bob");
    rate.take("eve");
    // Ada's bucket was full again, so nothing is lost by forgetting it.
    expect(rate.look("bob")).toBe(1000);
    rate.take("zoe");
    expect([rate.look("bob"), rate.look("eve"), rate.look("zoe")]).toEqual([0, 1000, 1000]);
  });
});
