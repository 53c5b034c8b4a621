import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { ToolError } from "../../protocol/outcome.js";
import { monotonic } from "../clock.js";
import { Admission } from "./admission.js";
import { type RecordedCall, recordedCall } from "./recorded-call.js";
import { Share } from "./share.js";

beforeEach(() => vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "hrtime"] }));
afterEach(() => vi.useRealTimers());

const placesFor = (calls: number, queued: number): Admission => new Admission({ server: { calls }, queued });

function refusalOf(enter: () => unknown): ToolError {
  try {
    enter();
  } catch (error) {
    if (error instanceof ToolError) return error;
  }
  throw new Error("nothing was refused");
}

const turn = () => Promise.resolve();

/** Ends a call, and lets the next one in. */
async function end(meter: Admission, call: RecordedCall): Promise<void> {
  meter.leave(call, monotonic());
  await turn();
}

const began = (calls: readonly RecordedCall[]): string[] =>
  calls.filter(({ heard }) => heard.length > 0).map(({ name }) => name);

describe("places", () => {
  test("are given to as many calls as may run, and the next ones wait", () => {
    const meter = placesFor(2, 2);
    expect(["a", "b", "c", "d"].map((name) => meter.enter(recordedCall({ name })))).toEqual([true, true, false, false]);
    expect(meter.queued).toBe(2);
  });

  test("are refused to one call more than may wait, which hears that it can try again", () => {
    const meter = placesFor(1, 1);
    meter.enter(recordedCall());
    meter.enter(recordedCall());
    const { message, code, details } = refusalOf(() => meter.enter(recordedCall()));
    expect(message).toBe("The server is busy: 1 call is running and 1 is waiting. Try again in 1 s.");
    expect([code, details]).toEqual(["BUSY", { limit: "callsQueued", retryable: true, retryAfterMs: 1000 }]);
  });

  test("are expected to be free when those ahead have taken as long as calls take", async () => {
    const meter = placesFor(2, 3);
    const first = recordedCall();
    meter.enter(first);
    vi.advanceTimersByTime(4000);
    await end(meter, first);
    for (let at = 0; at < 5; at += 1) meter.enter(recordedCall());
    const { message, details } = refusalOf(() => meter.enter(recordedCall()));
    expect(message).toBe("The server is busy: 2 calls are running and 3 are waiting. Try again in 8 s.");
    expect(details["retryAfterMs"]).toBe(8000);
  });

  test("go to the call that has waited longest", async () => {
    const meter = placesFor(1, 8);
    const [first, second, third] = [recordedCall(), recordedCall({ name: "b" }), recordedCall({ name: "c" })];
    for (const call of [first, second, third]) meter.enter(call);
    await end(meter, first);
    expect(began([second, third])).toEqual(["b"]);
    await end(meter, second);
    expect(began([second, third])).toEqual(["b", "c"]);
  });

  test("are not freed by a call that gives up while it waits, and it is not called", async () => {
    const meter = placesFor(1, 8);
    const [first, second, third] = [recordedCall(), recordedCall({ name: "b" }), recordedCall({ name: "c" })];
    for (const call of [first, second, third]) meter.enter(call);
    await end(meter, second);
    expect(began([third])).toEqual([]);
    await end(meter, first);
    expect(began([second, third])).toEqual(["c"]);
    expect(meter.queued).toBe(0);
  });

  test("are not given to a new call while others wait", async () => {
    const meter = placesFor(1, 8);
    const [first, second, third] = [recordedCall(), recordedCall({ name: "b" }), recordedCall({ name: "c" })];
    meter.enter(first);
    meter.enter(second);
    meter.leave(first, 0);
    expect(meter.enter(third)).toBe(false);
    await turn();
    expect(began([second, third])).toEqual(["b"]);
  });

  test("are given to any number of waiting calls that end at once without piling up", async () => {
    const meter = placesFor(1, 50_000);
    const first = recordedCall();
    meter.enter(first);
    const order: number[] = [];
    for (let at = 0; at < 50_000; at += 1) {
      const call: RecordedCall = recordedCall({
        // Many clients, many calls each: neither may make it slow.
        session: at % 2 === 0 ? { at } : meter,
        after: () => {
          order.push(at);
          meter.leave(call, 0);
        },
      });
      meter.enter(call);
    }
    await end(meter, first);
    expect(order).toHaveLength(50_000);
    await turn();
    expect([meter.queued, meter.enter(recordedCall())]).toEqual([0, true]);
  });
});

describe("a rate", () => {
  const rated = (rate: { burst: number; perSecond: number; over?: "reject" }): Admission =>
    new Admission({ server: { rate }, queued: 100 });
  const heardBy = (calls: readonly RecordedCall[]) => calls.map(({ heard }) => heard.length);

  test("lets a burst pass, then makes calls wait for their turn in order", async () => {
    const meter = rated({ burst: 2, perSecond: 10 });
    const calls = ["a", "b", "c", "d"].map((name) => recordedCall({ name }));
    expect(calls.map((call) => meter.enter(call))).toEqual([true, true, false, false]);
    await turn();
    await vi.advanceTimersByTimeAsync(100);
    expect(heardBy(calls)).toEqual([0, 0, 1, 0]);
    await vi.advanceTimersByTimeAsync(100);
    expect(heardBy(calls)).toEqual([0, 0, 1, 1]);
  });

  test("refuses calls that would wait longer than a burst takes", () => {
    const meter = rated({ burst: 1, perSecond: 10 });
    meter.enter(recordedCall());
    meter.enter(recordedCall());
    const { message, code, details } = refusalOf(() => meter.enter(recordedCall()));
    expect(message).toBe("Too many calls: the limit is 10 a second. Try again in 200 ms.");
    expect([code, details]).toEqual(["RATE_LIMITED", { limit: "rate", retryable: true, retryAfterMs: 200 }]);
  });

  test("refuses at once where it is told to", () => {
    const meter = rated({ burst: 1, perSecond: 4, over: "reject" });
    expect(meter.enter(recordedCall())).toBe(true);
    expect(refusalOf(() => meter.enter(recordedCall())).details["retryAfterMs"]).toBe(250);
    vi.advanceTimersByTime(250);
    expect(meter.enter(recordedCall())).toBe(true);
  });

  test("never saves up more than one burst", () => {
    const meter = rated({ burst: 2, perSecond: 10, over: "reject" });
    vi.advanceTimersByTime(60_000);
    meter.enter(recordedCall());
    meter.enter(recordedCall());
    expect(refusalOf(() => meter.enter(recordedCall())).code).toBe("RATE_LIMITED");
  });

  test("is not used up by a call that gives up while it waits", async () => {
    const meter = rated({ burst: 2, perSecond: 10 });
    const calls = ["a", "b", "c", "d"].map((name) => recordedCall({ name }));
    for (const call of calls) meter.enter(call);
    meter.leave(calls[2] as RecordedCall, 0);
    await vi.advanceTimersByTimeAsync(100);
    expect(heardBy(calls)).toEqual([0, 0, 0, 1]);
  });

  test("of a tool bounds that tool alone", async () => {
    const meter = placesFor(100, 100);
    const share = new Share({ rate: { burst: 1, perSecond: 10 } });
    const limited = ["a", "b", "c"].map((name) => recordedCall({ name, share }));
    expect(limited.slice(0, 2).map((call) => meter.enter(call))).toEqual([true, false]);
    const { message, details } = refusalOf(() => meter.enter(limited[2] as RecordedCall));
    expect(message).toBe('Too many calls of "c": the limit is 10 a second. Try again in 200 ms.');
    expect(details["limit"]).toBe("toolRate");
    expect(meter.enter(recordedCall({ name: "other" }))).toBe(true);
    await vi.advanceTimersByTimeAsync(100);
    expect(began(limited)).toEqual(["b"]);
  });

  test("of a principal bounds that principal alone", () => {
    const perPrincipal = { rate: { burst: 1, perSecond: 10, over: "reject" } } as const;
    const meter = new Admission({ server: {}, perPrincipal, queued: 100 });
    expect(meter.enter(recordedCall({ principal: "ada" }))).toBe(true);
    const { message, details } = refusalOf(() => meter.enter(recordedCall({ principal: "ada" })));
    expect(message).toBe("Too many calls of one caller: the limit is 10 a second. Try again in 100 ms.");
    expect(details["limit"]).toBe("principalRate");
    expect(meter.enter(recordedCall({ principal: "bob" }))).toBe(true);
  });
});

describe("the caller's deadline", () => {
  const TAKES_4_S = async (meter: Admission, share?: Share): Promise<void> => {
    const call = recordedCall(share && { share });
    meter.enter(call);
    vi.advanceTimersByTime(4000);
    await end(meter, call);
  };
  const hasty = (timeoutMs: number, share?: Share): RecordedCall =>
    recordedCall({ name: "slow", meta: { "toolwright/timeoutMs": timeoutMs }, ...(share && { share }) });

  test("is no reason to refuse as long as nothing is known", () => {
    expect(placesFor(1, 1).enter(hasty(1, new Share({})))).toBe(true);
  });

  test("refuses a tool that takes longer", async () => {
    const meter = placesFor(1, 8);
    const share = new Share({});
    await TAKES_4_S(meter, share);
    const { message, code, details } = refusalOf(() => meter.enter(hasty(3000, share)));
    expect(message).toBe(
      'The tool "slow" would not finish in time: it takes about 4 s, and its caller waits 3 s at most. Ask for less at once, or wait longer for it.',
    );
    expect([code, details]).toEqual(["BUSY", { limit: "deadline", retryable: false, estimateMs: 4000 }]);
    expect(meter.enter(hasty(4000, share))).toBe(true);
  });

  test("lets one call try again when the estimate has been used for a minute", async () => {
    const meter = placesFor(9, 8);
    const share = new Share({});
    await TAKES_4_S(meter, share);
    vi.advanceTimersByTime(60_001);
    expect(meter.enter(hasty(3000, share))).toBe(true);
    expect(refusalOf(() => meter.enter(hasty(3000, share))).details["limit"]).toBe("deadline");
  });

  test("refuses a call that would wait longer", async () => {
    const meter = placesFor(1, 8);
    await TAKES_4_S(meter);
    for (let at = 0; at < 3; at += 1) meter.enter(recordedCall());
    const { message, details } = refusalOf(() => meter.enter(hasty(5000)));
    expect(message).toBe(
      "The server is busy: the call would wait for about 12 s, and its caller waits 5 s at most. Try again in 12 s, or wait longer for it.",
    );
    expect(details).toEqual({ limit: "deadline", retryable: true, retryAfterMs: 12_000, estimateMs: 12_000 });
  });

  test("ends the wait of a call when it passes", () => {
    const meter = placesFor(1, 8);
    const waiting = hasty(2000);
    meter.enter(recordedCall());
    meter.enter(waiting);
    vi.advanceTimersByTime(1999);
    expect(waiting.stopped).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(waiting.stopped.map(({ message, code, details }) => [message, code, details["limit"]])).toEqual([
      [
        "The server is busy: the call has waited for its turn for 2 s, as long as its caller waits. Try again in 1 s, or wait longer for it.",
        "BUSY",
        "deadline",
      ],
    ]);
  });

  test("is nearer by as long as a call has waited when it begins", async () => {
    const meter = placesFor(1, 8);
    const [first, waiting] = [recordedCall(), hasty(2000)];
    meter.enter(first);
    meter.enter(waiting);
    vi.advanceTimersByTime(500);
    await end(meter, first);
    expect([waiting.heard, waiting.patienceMs]).toEqual([["proceed"], 1500]);
    vi.advanceTimersByTime(5000);
    expect(waiting.stopped).toEqual([]);
  });

  test.each([0, -5, "3000", null])("of %j is none", (timeoutMs) => {
    const call = recordedCall({ meta: { "toolwright/timeoutMs": timeoutMs } });
    placesFor(1, 1).enter(call);
    expect(call.patienceMs).toBeUndefined();
  });
});

describe("the mean of durations", () => {
  test("counts what was stopped only where it makes it longer", async () => {
    const meter = placesFor(9, 8);
    const share = new Share({});
    const ending = async (afterMs: number, how: "ok" | "failed"): Promise<number> => {
      const call = recordedCall({ share });
      meter.enter(call);
      vi.advanceTimersByTime(afterMs);
      call.ending = how;
      await end(meter, call);
      return share.pace.meanMs;
    };
    expect([await ending(1000, "ok"), await ending(10, "failed"), await ending(2000, "failed")]).toEqual([
      1000, 1000, 1200,
    ]);
    expect(await ending(200, "ok")).toBe(1000);
  });

  test("leaves out the time in which a call waited, and tasks", async () => {
    const meter = placesFor(1, 8);
    const share = new Share({});
    const [first, second] = [recordedCall({ totalLimit: "taskTotalMs", share }), recordedCall({ share })];
    meter.enter(first);
    meter.enter(second);
    vi.advanceTimersByTime(5000);
    await end(meter, first);
    vi.advanceTimersByTime(300);
    await end(meter, second);
    expect(share.pace.meanMs).toBe(300);
  });
});
