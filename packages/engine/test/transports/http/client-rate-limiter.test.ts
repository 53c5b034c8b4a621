import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { ClientRateLimiter } from "../../../src/transports/http/access-control.js";

beforeEach(() => void vi.useFakeTimers({ toFake: ["hrtime"] }));
afterEach(() => void vi.useRealTimers());

describe("the client rate limiter", () => {
  test("allows a burst, then a number per second, and returns the time to wait", () => {
    const rate = new ClientRateLimiter({ burst: 2, perSecond: 4 }, 10);
    expect([rate.take("ada"), rate.take("ada"), rate.take("ada")]).toEqual([0, 0, 250]);
    vi.advanceTimersByTime(100);
    expect(rate.take("ada")).toBe(150);
    vi.advanceTimersByTime(150);
    expect(rate.take("ada")).toBe(0);
    vi.advanceTimersByTime(60_000);
    expect([rate.take("ada"), rate.take("ada"), rate.take("ada")]).toEqual([0, 0, 250]);
  });

  test("has a bucket per client, and peek takes no token", () => {
    const rate = new ClientRateLimiter({ burst: 1, perSecond: 1 }, 10);
    expect([rate.peek("ada"), rate.take("ada"), rate.peek("ada")]).toEqual([0, 0, 1000]);
    expect([rate.peek("bob"), rate.take("bob")]).toEqual([0, 0]);
  });

  test("tracks a limited number of clients: full buckets are evicted first, then the oldest", () => {
    const rate = new ClientRateLimiter({ burst: 1, perSecond: 1 }, 2);
    rate.take("ada");
    vi.advanceTimersByTime(5000);
    rate.take("bob");
    rate.take("eve");
    // Ada's bucket was full again, so nothing is lost by forgetting it.
    expect(rate.peek("bob")).toBe(1000);
    rate.take("zoe");
    expect([rate.peek("bob"), rate.peek("eve"), rate.peek("zoe")]).toEqual([0, 1000, 1000]);
  });
});
