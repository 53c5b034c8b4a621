import { expect, test } from "vitest";

import { DEFAULT_LIMITS, type Limits, mergeLimits } from "../../src/server/limits/limits.js";

const createLimits = (overrides: Partial<Limits> = {}) => mergeLimits("create the server", DEFAULT_LIMITS, overrides);

test("a limit that is not a duration must be a whole number", () => {
  expect(() => createLimits({ pageSize: 0.5 })).toThrow(
    "Cannot create the server: limits.pageSize must be a whole number",
  );
  expect(createLimits({ callTimeoutMs: 0.5 }).callTimeoutMs).toBe(0.5);
});

test("default limits", () => {
  expect(createLimits()).toEqual({
    messageBytes: 10_485_760,
    receivedBytes: 2_147_483_647,
    batchMessages: 100,
    batchTimeoutMs: 600_000,
    outputBytes: 1_048_576,
    argumentLength: 1_048_576,
    argumentItems: 10_000,
    callsInFlight: 128,
    callsQueued: 1024,
    keptBytes: 268_435_456,
    callTimeoutMs: 30_000,
    callTotalMs: 600_000,
    callTimeoutMaxMs: 2_147_483_647,
    taskTotalMs: 3_600_000,
    tasksRunning: 64,
    heartbeatMs: 15_000,
    inputTimeoutMs: 300_000,
    inputRounds: 16,
    requestStateBytes: 1_048_576,
    samplingRounds: 10,
    subscriptions: 64,
    resourceSubscriptions: 1000,
    changeIntervalMs: 100,
    changesPending: 10_000,
    notificationBurst: 100,
    pageSize: 1000,
    drainMs: 30_000,
  });
});

test("a limit replaces its default, and limits are frozen", () => {
  const limits = createLimits({ pageSize: 5 });
  expect(limits).toMatchObject({ pageSize: 5, callsInFlight: 128 });
  expect(Object.isFrozen(limits)).toBe(true);
});

test.each(["pagesize", "toString", "__proto__x"])("the unknown limit %s is rejected", (name) => {
  expect(() => createLimits({ [name]: 5 })).toThrow(`Cannot create the server: unknown option limits.${name}; `);
});

test.each([[0], [-1], [Number.NaN], ["5"], [null], [5n]])("%s is not a valid limit", (value) => {
  expect(() => createLimits({ pageSize: value as never })).toThrow(
    new TypeError("Cannot create the server: limits.pageSize must be a positive number"),
  );
});

test("a limit may be infinite, but a duration is capped at what a timer supports", () => {
  expect(createLimits({ callsInFlight: Number.POSITIVE_INFINITY }).callsInFlight).toBe(Number.POSITIVE_INFINITY);
  expect(createLimits({ inputTimeoutMs: Number.POSITIVE_INFINITY }).inputTimeoutMs).toBe(2_147_483_647);
});
