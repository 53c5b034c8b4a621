import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { monotonic } from "../clock.js";
import { Admission } from "./admission.js";
import { type RecordedCall, recordedCall } from "./recorded-call.js";
import { Share } from "./share.js";

beforeEach(() => vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "hrtime"] }));
afterEach(() => vi.useRealTimers());

const SERVER_CALLS = 4;
const PRINCIPAL_CALLS = 2;

/** Numbers that look random and are the same in each run. */
function createRandom(seed: number): (below: number) => number {
  let last = seed;
  return (below) => {
    last = (last * 48_271) % 2_147_483_647;
    return last % below;
  };
}

/** A server with every kind of bound, and what a test knows of the calls on it. */
function createScene(random: (below: number) => number, rate?: { burst: number; perSecond: number }) {
  const own = rate && { rate };
  const meter = new Admission({
    server: { calls: SERVER_CALLS, ...own },
    perPrincipal: { calls: PRINCIPAL_CALLS, ...own },
    queued: 10_000,
  });
  const shares = [undefined, new Share({}), new Share({ calls: 1, ...own }), new Share({ calls: 2 })];
  const running = new Set<RecordedCall>();
  const waiting = new Set<RecordedCall>();
  const count = (is: (call: RecordedCall) => boolean): number => [...running].filter(is).length;
  return {
    meter,
    running,
    waiting,
    enter: (): void => {
      const share = shares[random(shares.length)];
      const begin = (): void => {
        waiting.delete(call);
        running.add(call);
      };
      const traits = { principal: `principal ${random(5)}`, ...(share && { share }), after: begin };
      const call: RecordedCall = recordedCall(traits);
      waiting.add(call);
      try {
        if (meter.enter(call)) begin();
      } catch {
        waiting.delete(call);
      }
    },
    leave: (calls: Set<RecordedCall>): void => {
      const call = [...calls][random(calls.size || 1)];
      if (call === undefined) return;
      calls.delete(call);
      meter.leave(call, monotonic());
    },
    /** Which of the bounds a call would break if it began now. */
    isKept: ({ share, principal }: RecordedCall): boolean => {
      const ofTool = count((call) => call.share === share);
      const ofPrincipal = count((call) => call.principal === principal);
      return running.size >= SERVER_CALLS || ofTool >= (share?.most ?? Infinity) || ofPrincipal >= PRINCIPAL_CALLS;
    },
    expectBounds: (): void => {
      expect(running.size).toBeLessThanOrEqual(SERVER_CALLS);
      for (const { share, principal } of running) {
        expect(count((call) => call.principal === principal)).toBeLessThanOrEqual(PRINCIPAL_CALLS);
        if (share) expect(count((call) => call.share === share)).toBeLessThanOrEqual(share.most);
      }
      expect(meter.queued).toBe(waiting.size);
    },
  };
}

test.each([1, 2, 3])(
  "whatever calls come, end and give up, no bound is broken, and none waits that could run (%i)",
  async (seed) => {
    const random = createRandom(seed);
    const { meter, running, waiting, enter, leave, isKept, expectBounds } = createScene(random);
    for (let step = 0; step < 1500; step += 1) {
      const deed = random(5);
      if (deed < 2) enter();
      else leave(deed === 2 ? waiting : running);
      await Promise.resolve();
      expectBounds();
      expect([...waiting].filter((call) => !isKept(call))).toEqual([]);
    }
    while (running.size > 0) {
      leave(running);
      await Promise.resolve();
    }
    expect([waiting.size, meter.queued]).toEqual([0, 0]);
  },
);

test.each([4, 5, 6])("with rates as well, every call that waits begins in the end (%i)", async (seed) => {
  const random = createRandom(seed);
  const { meter, running, waiting, enter, leave, expectBounds } = createScene(random, { burst: 3, perSecond: 50 });
  for (let step = 0; step < 1500; step += 1) {
    const deed = random(7);
    if (deed < 3) enter();
    else if (deed < 6) leave(deed === 3 ? waiting : running);
    else await vi.advanceTimersByTimeAsync(random(60));
    await Promise.resolve();
    expectBounds();
  }
  for (let rest = 0; rest < 1000 && waiting.size + running.size > 0; rest += 1) {
    leave(running);
    await vi.advanceTimersByTimeAsync(20);
  }
  expect([running.size, waiting.size, meter.queued, vi.getTimerCount()]).toEqual([0, 0, 0, 0]);
});
