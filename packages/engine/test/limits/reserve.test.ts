import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { CallLimiter } from "../../src/server/limits/limiter.js";
import { DEFAULT_LIMITS } from "../../src/server/limits/limits.js";
import { type RecordedCall, recordedCall } from "./recorded-call.js";

beforeEach(() => vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "hrtime"] }));
afterEach(() => vi.useRealTimers());

/** A limiter with 16 places, all of which one client holds. */
function createFullLimiter(client: { principal?: string; session?: object }): {
  limiter: CallLimiter;
  calls: RecordedCall[];
} {
  const limiter = new CallLimiter({ limits: { ...DEFAULT_LIMITS, callsInFlight: 16 } });
  const calls = Array.from({ length: 16 }, () => recordedCall(client));
  for (const call of calls) expect(limiter.enter(call)).toBe(true);
  expect(limiter.enter(recordedCall(client))).toBe(false);
  return { limiter, calls };
}

test.each([
  ["principals", { principal: "hog" }, { principal: "other" }],
  ["sessions", { session: {} }, { session: {} }],
])("a client without a running call starts one although another client holds all places: %s", (_what, hog, other) => {
  const { limiter } = createFullLimiter(hog);
  expect(limiter.enter(recordedCall(other))).toBe(true);
  expect(limiter.running).toBe(17);
  expect(limiter.enter(recordedCall(other))).toBe(false);
});

test("the reserve is an eighth of the places, and the next client waits for the end of any call", async () => {
  const { limiter, calls } = createFullLimiter({ principal: "hog" });
  expect(limiter.enter(recordedCall({ principal: "a" }))).toBe(true);
  expect(limiter.enter(recordedCall({ principal: "b" }))).toBe(true);
  const late = recordedCall({ principal: "c" });
  expect(limiter.enter(late)).toBe(false);
  limiter.leave(calls[0] as RecordedCall);
  await Promise.resolve();
  expect(late.events).toEqual(["proceed"]);
  expect([limiter.running, limiter.queued]).toEqual([18, 1]);
});

test("a client whose calls have ended may use the reserve again", () => {
  const { limiter } = createFullLimiter({ principal: "hog" });
  const call = recordedCall({ principal: "other" });
  for (const _time of [1, 2, 3]) {
    expect(limiter.enter(call)).toBe(true);
    limiter.leave(call);
  }
  expect(limiter.running).toBe(16);
});

test("a rate without tokens is not exceeded", () => {
  const rate = { burst: 16, perSecond: 1, over: "reject" } as const;
  const limiter = new CallLimiter({ limits: { ...DEFAULT_LIMITS, callsInFlight: 16 }, rate });
  for (let count = 0; count < 16; count += 1) limiter.enter(recordedCall({ principal: "hog" }));
  expect(() => limiter.enter(recordedCall({ principal: "other" }))).toThrow("Too many calls");
});

test("a server with few places has a reserve of one, and a server with one place has none", () => {
  const few = new CallLimiter({ limits: { ...DEFAULT_LIMITS, callsInFlight: 2 } });
  for (const _place of [1, 2]) expect(few.enter(recordedCall({ principal: "hog" }))).toBe(true);
  expect(few.enter(recordedCall({ principal: "other" }))).toBe(true);
  expect(few.enter(recordedCall({ principal: "third" }))).toBe(false);
  const one = new CallLimiter({ limits: { ...DEFAULT_LIMITS, callsInFlight: 1 } });
  expect(one.enter(recordedCall({ principal: "hog" }))).toBe(true);
  expect(one.enter(recordedCall({ principal: "other" }))).toBe(false);
});

test("many sessions of one principal are one client", () => {
  const limiter = new CallLimiter({ limits: { ...DEFAULT_LIMITS, callsInFlight: 16 } });
  for (let count = 0; count < 16; count += 1)
    expect(limiter.enter(recordedCall({ principal: "hog", session: {} }))).toBe(true);
  expect(limiter.enter(recordedCall({ principal: "hog", session: {} }))).toBe(false);
  expect(limiter.enter(recordedCall({ principal: "other", session: {} }))).toBe(true);
});

test("many sessions of one address leave half of the reserve to other addresses", () => {
  const limiter = new CallLimiter({ limits: { ...DEFAULT_LIMITS, callsInFlight: 16 } });
  const started = Array.from({ length: 40 }, () =>
    limiter.enter(recordedCall({ session: {}, address: "192.0.2.1" })),
  ).filter((hasStarted) => hasStarted);
  expect(started).toHaveLength(17);
  expect(limiter.enter(recordedCall({ session: {}, address: "192.0.2.2" }))).toBe(true);
});

test("many requests without a session leave a part of the reserve to sessions of their address", () => {
  const limiter = new CallLimiter({ limits: { ...DEFAULT_LIMITS, callsInFlight: 32 } });
  const address = "192.0.2.1";
  const started = Array.from({ length: 60 }, () =>
    limiter.enter(recordedCall({ session: {}, address, isSingleRequest: true })),
  ).filter((hasStarted) => hasStarted);
  expect(started).toHaveLength(33);
  expect(limiter.enter(recordedCall({ session: {}, address }))).toBe(true);
  expect(limiter.enter(recordedCall({ session: {}, address }))).toBe(false);
  expect(limiter.enter(recordedCall({ session: {}, address: "192.0.2.2" }))).toBe(true);
});

test("a place goes to the client with the fewest running calls", async () => {
  const { limiter, calls } = createFullLimiter({ principal: "hog" });
  // The hog has waited longest.
  const other = Array.from({ length: 4 }, () => recordedCall({ principal: "other" }));
  expect(other.map((call) => limiter.enter(call))).toEqual([true, false, false, false]);
  for (const call of calls.slice(0, 4)) limiter.leave(call);
  await Promise.resolve();
  expect(other.map(({ events }) => events)).toEqual([[], ["proceed"], ["proceed"], ["proceed"]]);
});

test("a full queue displaces a call of the address with the most waiting calls, whatever its sessions", () => {
  const limiter = new CallLimiter({ limits: { ...DEFAULT_LIMITS, callsInFlight: 1, callsQueued: 4 } });
  const flood = Array.from({ length: 5 }, () => recordedCall({ session: {}, address: "192.0.2.1" }));
  for (const call of flood) limiter.enter(call);
  expect(() => limiter.enter(recordedCall({ session: {}, address: "192.0.2.1" }))).toThrow("The server is busy");
  expect(limiter.enter(recordedCall({ session: {}, address: "192.0.2.2" }))).toBe(false);
  expect(flood.map(({ stopped }) => stopped.length)).toEqual([0, 0, 0, 0, 1]);
});
