import { expect, test } from "vitest";
import { createLimits } from "./limits.js";

test("refuses half a thing where things are counted", () => {
  expect(() => createLimits({ pageSize: 0.5 })).toThrow(
    "Cannot create the server: limits.pageSize must be a whole number",
  );
  expect(createLimits({ callTimeoutMs: 0.5 }).callTimeoutMs).toBe(0.5);
});

test("the limits that hold where nothing else is said", () => {
  expect(createLimits()).toEqual({
    messageBytes: 10_485_760,
    batchMessages: 100,
    callsInFlight: 128,
    callsQueued: 1024,
    callTimeoutMs: 30_000,
    callTotalMs: 600_000,
    taskTotalMs: 3_600_000,
    tasksRunning: 64,
    heartbeatMs: 15_000,
    questionTimeoutMs: 300_000,
    questionRounds: 16,
    keptBytes: 1_048_576,
    samplingRounds: 10,
    subscriptions: 64,
    watchedResources: 1000,
    changeRestMs: 100,
    changesPending: 10_000,
    notificationBurst: 100,
    pageSize: 1000,
    drainMs: 30_000,
  });
});

test("a given limit takes the place of its default, and the whole is frozen", () => {
  const limits = createLimits({ pageSize: 5 });
  expect(limits).toMatchObject({ pageSize: 5, callsInFlight: 128 });
  expect(Object.isFrozen(limits)).toBe(true);
});

test.each(["pagesize", "toString", "__proto__x"])("the unknown limit %s is refused", (name) => {
  expect(() => createLimits({ [name]: 5 })).toThrow(
    new TypeError(`Cannot create the server: limits.${name} is unknown`),
  );
});

test.each([[0], [-1], [Number.NaN], ["5"], [null], [5n]])("%s is no limit", (value) => {
  expect(() => createLimits({ pageSize: value as never })).toThrow(
    new TypeError("Cannot create the server: limits.pageSize must be a positive number"),
  );
});

test("a limit may be endless, but a wait is no longer than a timer can hold", () => {
  expect(createLimits({ callsInFlight: Number.POSITIVE_INFINITY }).callsInFlight).toBe(Number.POSITIVE_INFINITY);
  expect(createLimits({ questionTimeoutMs: Number.POSITIVE_INFINITY }).questionTimeoutMs).toBe(2_147_483_647);
});
