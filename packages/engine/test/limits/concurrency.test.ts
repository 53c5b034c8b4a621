import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { ToolError } from "../../src/protocol/outcome.js";
import { CallLimiter } from "../../src/server/limits/limiter.js";
import { DEFAULT_LIMITS } from "../../src/server/limits/limits.js";
import { Quota } from "../../src/server/limits/quota.js";
import { type RecordedCall, recordedCall } from "./recorded-call.js";

beforeEach(() => vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "hrtime"] }));
afterEach(() => vi.useRealTimers());

const createLimiter = (calls: number, queued: number): CallLimiter =>
  new CallLimiter({ limits: { ...DEFAULT_LIMITS, callsInFlight: calls, callsQueued: queued } });

function rejectionOf(enter: () => unknown): ToolError {
  try {
    enter();
  } catch (error) {
    if (error instanceof ToolError) return error;
  }
  throw new Error("the call was not rejected");
}

const turn = () => Promise.resolve();

/** Ends a call, and waits until the next one is admitted. */
async function end(limiter: CallLimiter, call: RecordedCall): Promise<void> {
  limiter.leave(call);
  await turn();
}

const started = (calls: readonly RecordedCall[]): string[] =>
  calls.filter(({ events }) => events.length > 0).map(({ name }) => name);

describe("concurrency", () => {
  test("calls over the limit wait", () => {
    const limiter = createLimiter(2, 2);
    expect(["a", "b", "c", "d"].map((name) => limiter.enter(recordedCall({ name })))).toEqual([
      true,
      true,
      false,
      false,
    ]);
    expect(limiter.queued).toBe(2);
  });

  test("a call is rejected with a retry delay if the queue is full", () => {
    const limiter = createLimiter(1, 1);
    limiter.enter(recordedCall());
    limiter.enter(recordedCall());
    const { message, code, details } = rejectionOf(() => limiter.enter(recordedCall()));
    expect(message).toBe("The server is busy: 1 call is running and 1 is waiting. Try again in 1 s.");
    expect([code, details]).toEqual(["BUSY", { limit: "callsQueued", retryable: true, retryAfterMs: 1000 }]);
  });

  test("the call that has waited longest is admitted first", async () => {
    const limiter = createLimiter(1, 8);
    const [first, second, third] = [recordedCall(), recordedCall({ name: "b" }), recordedCall({ name: "c" })];
    for (const call of [first, second, third]) limiter.enter(call);
    await end(limiter, first);
    expect(started([second, third])).toEqual(["b"]);
    await end(limiter, second);
    expect(started([second, third])).toEqual(["b", "c"]);
  });

  test("a call that is cancelled while it waits frees no slot and is not admitted", async () => {
    const limiter = createLimiter(1, 8);
    const [first, second, third] = [recordedCall(), recordedCall({ name: "b" }), recordedCall({ name: "c" })];
    for (const call of [first, second, third]) limiter.enter(call);
    await end(limiter, second);
    expect(started([third])).toEqual([]);
    await end(limiter, first);
    expect(started([second, third])).toEqual(["c"]);
    expect(limiter.queued).toBe(0);
  });

  test("a new call does not overtake waiting ones", async () => {
    const limiter = createLimiter(1, 8);
    const [first, second, third] = [recordedCall(), recordedCall({ name: "b" }), recordedCall({ name: "c" })];
    limiter.enter(first);
    limiter.enter(second);
    limiter.leave(first);
    expect(limiter.enter(third)).toBe(false);
    await turn();
    expect(started([second, third])).toEqual(["b"]);
  });

  test("50,000 waiting calls that end at once do not overflow the stack", async () => {
    const limiter = createLimiter(1, 50_000);
    const first = recordedCall();
    limiter.enter(first);
    const order: number[] = [];
    for (let at = 0; at < 50_000; at += 1) {
      const call: RecordedCall = recordedCall({
        // Many clients, and one client with many calls: neither may be slow.
        session: at % 2 === 0 ? { at } : limiter,
        onProceed: () => {
          order.push(at);
          limiter.leave(call);
        },
      });
      limiter.enter(call);
    }
    await end(limiter, first);
    expect(order).toHaveLength(50_000);
    await turn();
    expect([limiter.queued, limiter.enter(recordedCall())]).toEqual([0, true]);
  });
});

describe("a rate", () => {
  const createRateLimiter = (rate: { burst: number; perSecond: number; over?: "reject" }): CallLimiter =>
    new CallLimiter({ limits: { ...DEFAULT_LIMITS, callsInFlight: Number.POSITIVE_INFINITY, callsQueued: 100 }, rate });
  const eventCounts = (calls: readonly RecordedCall[]) => calls.map(({ events }) => events.length);

  test("admits a burst, then delays calls in order", async () => {
    const limiter = createRateLimiter({ burst: 2, perSecond: 10 });
    const calls = ["a", "b", "c", "d"].map((name) => recordedCall({ name }));
    expect(calls.map((call) => limiter.enter(call))).toEqual([true, true, false, false]);
    await turn();
    await vi.advanceTimersByTimeAsync(100);
    expect(eventCounts(calls)).toEqual([0, 0, 1, 0]);
    await vi.advanceTimersByTimeAsync(100);
    expect(eventCounts(calls)).toEqual([0, 0, 1, 1]);
  });

  test("rejects calls that would wait longer than a burst takes", () => {
    const limiter = createRateLimiter({ burst: 1, perSecond: 10 });
    limiter.enter(recordedCall());
    limiter.enter(recordedCall());
    const { message, code, details } = rejectionOf(() => limiter.enter(recordedCall()));
    expect(message).toBe("Too many calls: the limit is 10 a second. Try again in 200 ms.");
    expect([code, details]).toEqual(["RATE_LIMITED", { limit: "rate", retryable: true, retryAfterMs: 200 }]);
  });

  test("rejects at once with over: reject", () => {
    const limiter = createRateLimiter({ burst: 1, perSecond: 4, over: "reject" });
    expect(limiter.enter(recordedCall())).toBe(true);
    expect(rejectionOf(() => limiter.enter(recordedCall())).details["retryAfterMs"]).toBe(250);
    vi.advanceTimersByTime(250);
    expect(limiter.enter(recordedCall())).toBe(true);
  });

  test("never accumulates more than one burst", () => {
    const limiter = createRateLimiter({ burst: 2, perSecond: 10, over: "reject" });
    vi.advanceTimersByTime(60_000);
    limiter.enter(recordedCall());
    limiter.enter(recordedCall());
    expect(rejectionOf(() => limiter.enter(recordedCall())).code).toBe("RATE_LIMITED");
  });

  test("is not consumed by a call that is cancelled while it waits", async () => {
    const limiter = createRateLimiter({ burst: 2, perSecond: 10 });
    const calls = ["a", "b", "c", "d"].map((name) => recordedCall({ name }));
    for (const call of calls) limiter.enter(call);
    limiter.leave(calls[2] as RecordedCall);
    await vi.advanceTimersByTimeAsync(100);
    expect(eventCounts(calls)).toEqual([0, 0, 0, 1]);
  });

  test("of a tool limits only that tool", async () => {
    const limiter = createLimiter(100, 100);
    const quota = new Quota({ rate: { burst: 1, perSecond: 10 } });
    const limited = ["a", "b", "c"].map((name) => recordedCall({ name, quota }));
    expect(limited.slice(0, 2).map((call) => limiter.enter(call))).toEqual([true, false]);
    const { message, details } = rejectionOf(() => limiter.enter(limited[2] as RecordedCall));
    expect(message).toBe('Too many calls of "c": the limit is 10 a second. Try again in 200 ms.');
    expect(details["limit"]).toBe("toolRate");
    expect(limiter.enter(recordedCall({ name: "other" }))).toBe(true);
    await vi.advanceTimersByTimeAsync(100);
    expect(started(limited)).toEqual(["b"]);
  });

  test("of a principal limits only that principal", () => {
    const perPrincipal = { rate: { burst: 1, perSecond: 10, over: "reject" } } as const;
    const limiter = new CallLimiter({
      limits: { ...DEFAULT_LIMITS, callsInFlight: Number.POSITIVE_INFINITY, callsQueued: 100 },
      perPrincipal,
    });
    expect(limiter.enter(recordedCall({ principal: "ada" }))).toBe(true);
    const { message, details } = rejectionOf(() => limiter.enter(recordedCall({ principal: "ada" })));
    expect(message).toBe("Too many calls of one caller: the limit is 10 a second. Try again in 100 ms.");
    expect(details["limit"]).toBe("principalRate");
    expect(limiter.enter(recordedCall({ principal: "bob" }))).toBe(true);
  });
});

describe("the client's timeout", () => {
  const callWithTimeout = (timeoutMs: number): RecordedCall =>
    recordedCall({ name: "slow", meta: { "toolwright/timeoutMs": timeoutMs } });

  test("rejects a waiting call when it is done", () => {
    const limiter = createLimiter(1, 8);
    const waiting = callWithTimeout(2000);
    limiter.enter(recordedCall());
    limiter.enter(waiting);
    vi.advanceTimersByTime(1999);
    expect(waiting.stopped).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(waiting.stopped.map(({ message, code, details }) => [message, code, details["limit"]])).toEqual([
      [
        "The server is busy: the call waited 2 s for its turn, as long as the client waits. Try again in 1 s, or increase the client's timeout.",
        "BUSY",
        "deadline",
      ],
    ]);
  });

  test("includes the time in the queue", async () => {
    const limiter = createLimiter(1, 8);
    const [first, waiting] = [recordedCall(), callWithTimeout(2000)];
    limiter.enter(first);
    limiter.enter(waiting);
    vi.advanceTimersByTime(500);
    await end(limiter, first);
    expect([waiting.events, waiting.clientTimeoutMs]).toEqual([["proceed"], 1500]);
    vi.advanceTimersByTime(5000);
    expect(waiting.stopped).toEqual([]);
  });

  test.each([0, -5, "3000", null])("is ignored if it is %j", (timeoutMs) => {
    const call = recordedCall({ meta: { "toolwright/timeoutMs": timeoutMs } });
    createLimiter(1, 1).enter(call);
    expect(call.clientTimeoutMs).toBeUndefined();
  });
});
