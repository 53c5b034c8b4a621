import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { CallLimiter } from "../../src/server/limits/limiter.js";
import { DEFAULT_LIMITS } from "../../src/server/limits/limits.js";
import { Quota } from "../../src/server/limits/quota.js";
import { type RecordedCall, recordedCall } from "./recorded-call.js";

beforeEach(() => vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "hrtime"] }));
afterEach(() => vi.useRealTimers());

const SERVER_CALLS = 4;
/** For clients without a running call. */
const RESERVE = 1;
const PRINCIPAL_CALLS = 2;

/** A pseudo-random generator that returns the same numbers in each run. */
function createRandom(seed: number): (below: number) => number {
  let last = seed;
  return (below) => {
    last = (last * 48_271) % 2_147_483_647;
    return last % below;
  };
}

/** A server with all kinds of limits, and the calls on it. */
function createSimulation(random: (below: number) => number, rate?: { burst: number; perSecond: number }) {
  const rateLimit = rate && { rate };
  const limiter = new CallLimiter({
    limits: { ...DEFAULT_LIMITS, callsInFlight: SERVER_CALLS, callsQueued: 10_000 },
    rate,
    perPrincipal: { calls: PRINCIPAL_CALLS, ...rateLimit },
  });
  const quotas = [undefined, new Quota({}), new Quota({ calls: 1, ...rateLimit }), new Quota({ calls: 2 })];
  const running = new Set<RecordedCall>();
  const waiting = new Set<RecordedCall>();
  const count = (matches: (call: RecordedCall) => boolean): number => [...running].filter(matches).length;
  return {
    limiter,
    running,
    waiting,
    enter: (): void => {
      const quota = quotas[random(quotas.length)];
      const start = (): void => {
        waiting.delete(call);
        running.add(call);
      };
      const options = { principal: `principal ${random(5)}`, ...(quota && { quota }), onProceed: start };
      const call: RecordedCall = recordedCall(options);
      waiting.add(call);
      try {
        if (limiter.enter(call)) start();
      } catch {
        waiting.delete(call);
      }
    },
    leave: (calls: Set<RecordedCall>): void => {
      const call = [...calls][random(calls.size || 1)];
      if (call === undefined) return;
      calls.delete(call);
      limiter.leave(call);
    },
    /** Whether a call would exceed a limit if it started now. */
    isBlocked: ({ quota, principal }: RecordedCall): boolean => {
      const toolCalls = count((call) => call.quota === quota);
      const principalCalls = count((call) => call.principal === principal);
      return (
        running.size >= (principalCalls === 0 ? SERVER_CALLS + RESERVE : SERVER_CALLS) ||
        toolCalls >= (quota?.maxConcurrent ?? Infinity) ||
        principalCalls >= PRINCIPAL_CALLS
      );
    },
    expectLimits: (): void => {
      expect(running.size).toBeLessThanOrEqual(SERVER_CALLS + RESERVE);
      for (const { quota, principal } of running) {
        expect(count((call) => call.principal === principal)).toBeLessThanOrEqual(PRINCIPAL_CALLS);
        if (quota) expect(count((call) => call.quota === quota)).toBeLessThanOrEqual(quota.maxConcurrent);
      }
      expect(limiter.queued).toBe(waiting.size);
    },
  };
}

test.each([1, 2, 3])("no limit is exceeded and no call waits that could run (seed %i)", async (seed) => {
  const random = createRandom(seed);
  const { limiter, running, waiting, enter, leave, isBlocked, expectLimits } = createSimulation(random);
  for (let step = 0; step < 1500; step += 1) {
    const action = random(5);
    if (action < 2) enter();
    else leave(action === 2 ? waiting : running);
    await Promise.resolve();
    expectLimits();
    expect([...waiting].filter((call) => !isBlocked(call))).toEqual([]);
  }
  while (running.size > 0) {
    leave(running);
    await Promise.resolve();
  }
  expect([waiting.size, limiter.queued]).toEqual([0, 0]);
});

test.each([4, 5, 6])("with rates, every waiting call starts in the end (seed %i)", async (seed) => {
  const random = createRandom(seed);
  const { limiter, running, waiting, enter, leave, expectLimits } = createSimulation(random, {
    burst: 3,
    perSecond: 50,
  });
  for (let step = 0; step < 1500; step += 1) {
    const action = random(7);
    if (action < 3) enter();
    else if (action < 6) leave(action === 3 ? waiting : running);
    else await vi.advanceTimersByTimeAsync(random(60));
    await Promise.resolve();
    expectLimits();
  }
  for (let rest = 0; rest < 1000 && waiting.size + running.size > 0; rest += 1) {
    leave(running);
    await vi.advanceTimersByTimeAsync(20);
  }
  expect([running.size, waiting.size, limiter.queued, vi.getTimerCount()]).toEqual([0, 0, 0, 0]);
});
