import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { ToolError } from "../../protocol/outcome.js";
import { Metrics } from "../metrics.js";
import { Concurrency } from "./concurrency.js";
import type { Metered } from "./meter.js";
import { type CallReport, Observe } from "./observe.js";
import { Rate } from "./rate.js";
import { Timeout } from "./timeout.js";

beforeEach(() => vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }));
afterEach(() => vi.useRealTimers());

interface Recorded extends Metered {
  isAsking: boolean;
  readonly heard: string[];
  readonly stopped: ToolError[];
}

/** A call that notes what layers do to it; `after` happens when it may go on. */
function createCall(
  name: string,
  options: { timeoutMs?: number; totalLimit?: Metered["totalLimit"]; after?: () => void } = {},
): Recorded {
  const heard: string[] = [];
  const stopped: ToolError[] = [];
  return {
    kind: "tool",
    name,
    principal: undefined,
    request: {},
    timeoutMs: options.timeoutMs ?? 100,
    totalLimit: options.totalLimit ?? "callTotalMs",
    deadline: 0,
    acceptedAt: 0,
    startedAt: 0,
    isAsking: false,
    entered: 0,
    ending: "ok",
    failure: undefined,
    heard,
    stopped,
    proceed() {
      heard.push("proceed");
      options.after?.();
    },
    stop: (error) => void stopped.push(error),
  };
}

function refusalOf(enter: () => unknown): ToolError {
  try {
    enter();
  } catch (error) {
    if (error instanceof ToolError) return error;
  }
  throw new Error("nothing was refused");
}

const turn = () => Promise.resolve();

describe("Concurrency", () => {
  test("lets in as many calls as may run, and lets the next ones wait", () => {
    const layer = new Concurrency(2, 2);
    expect(["a", "b", "c", "d"].map((name) => layer.enter(createCall(name)))).toEqual([true, true, false, false]);
  });

  test("refuses one call more than may wait, and says that it can be tried again", () => {
    const layer = new Concurrency(1, 1);
    layer.enter(createCall("a"));
    layer.enter(createCall("b"));
    const { message, code, details } = refusalOf(() => layer.enter(createCall("c")));
    expect(message).toBe("The server is busy: 1 calls are running and 1 are waiting. Try again in a moment.");
    expect([code, details]).toEqual(["BUSY", { limit: "callsQueued", retryable: true }]);
  });

  test("gives a free place to the call that has waited longest", async () => {
    const layer = new Concurrency(1, 8);
    const [first, second, third] = [createCall("a"), createCall("b"), createCall("c")];
    for (const call of [first, second, third]) layer.enter(call);
    layer.leave(first);
    await turn();
    expect([second.heard, third.heard]).toEqual([["proceed"], []]);
    layer.leave(second);
    await turn();
    expect(third.heard).toEqual(["proceed"]);
  });

  test("a call that gives up while it waits frees no place and is not called", async () => {
    const layer = new Concurrency(1, 8);
    const [first, second, third] = [createCall("a"), createCall("b"), createCall("c")];
    for (const call of [first, second, third]) layer.enter(call);
    layer.leave(second);
    await turn();
    expect(third.heard).toEqual([]);
    layer.leave(first);
    await turn();
    expect([second.heard, third.heard]).toEqual([[], ["proceed"]]);
  });

  test("a new call does not overtake those that wait", async () => {
    const layer = new Concurrency(1, 8);
    const [first, second, third] = [createCall("a"), createCall("b"), createCall("c")];
    layer.enter(first);
    layer.enter(second);
    layer.leave(first);
    expect(layer.enter(third)).toBe(false);
    await turn();
    expect([second.heard, third.heard]).toEqual([["proceed"], []]);
  });

  test("any number of waiting calls that end at once are let in without piling up", async () => {
    const layer = new Concurrency(1, 50_000);
    const first = createCall("a");
    layer.enter(first);
    const order: number[] = [];
    for (let at = 0; at < 50_000; at += 1) {
      const call: Recorded = createCall("b", {
        after: () => {
          order.push(at);
          layer.leave(call);
        },
      });
      layer.enter(call);
    }
    layer.leave(first);
    await turn();
    expect(order).toHaveLength(50_000);
    expect(order.every((at, index) => at === index)).toBe(true);
    await turn();
    expect(layer.enter(createCall("c"))).toBe(true);
  });
});

describe("Rate", () => {
  test("lets a burst pass, then makes calls wait for their turn in order", () => {
    const layer = new Rate({ burst: 2, perSecond: 10 });
    const calls = ["a", "b", "c", "d"].map((name) => createCall(name));
    expect(calls.map((call) => layer.enter(call))).toEqual([true, true, false, false]);
    vi.advanceTimersByTime(100);
    expect(calls.map(({ heard }) => heard.length)).toEqual([0, 0, 1, 0]);
    vi.advanceTimersByTime(100);
    expect(calls.map(({ heard }) => heard.length)).toEqual([0, 0, 1, 1]);
  });

  test("refuses calls that would wait longer than a burst takes", () => {
    const layer = new Rate({ burst: 1, perSecond: 10 });
    layer.enter(createCall("a"));
    layer.enter(createCall("b"));
    const { message, code, details } = refusalOf(() => layer.enter(createCall("c")));
    expect(message).toBe("Too many calls: the limit is 10 a second. Try again in 200 ms.");
    expect([code, details]).toEqual(["RATE_LIMITED", { limit: "rate", retryable: true, retryAfterMs: 200 }]);
  });

  test("refuses at once where it is told to", () => {
    const layer = new Rate({ burst: 1, perSecond: 4, over: "reject" });
    expect(layer.enter(createCall("a"))).toBe(true);
    expect(refusalOf(() => layer.enter(createCall("b"))).details["retryAfterMs"]).toBe(250);
    vi.advanceTimersByTime(250);
    expect(layer.enter(createCall("c"))).toBe(true);
  });

  test("never saves up more than one burst", () => {
    const layer = new Rate({ burst: 2, perSecond: 10, over: "reject" });
    vi.advanceTimersByTime(60_000);
    layer.enter(createCall("a"));
    layer.enter(createCall("b"));
    expect(refusalOf(() => layer.enter(createCall("c"))).code).toBe("RATE_LIMITED");
  });

  test("a call that gives up while it waits uses no turn", () => {
    const layer = new Rate({ burst: 2, perSecond: 10 });
    const calls = ["a", "b", "c", "d"].map((name) => createCall(name));
    for (const call of calls) layer.enter(call);
    layer.leave(calls[2] as Metered);
    vi.advanceTimersByTime(100);
    expect(calls.map(({ heard }) => heard.length)).toEqual([0, 0, 0, 1]);
  });

  test.each([
    { burst: 0, perSecond: 1 },
    { burst: 1, perSecond: 0 },
    { burst: Number.NaN, perSecond: 1 },
  ])("cannot be made with %j", (options) => {
    expect(() => new Rate(options)).toThrow("rate needs burst of at least 1 and perSecond above 0");
  });
});

const waiting = (layer: Timeout, call: Recorded): Recorded => {
  layer.enter();
  layer.wait(call);
  return call;
};

describe("Timeout", () => {
  test("stops a call that runs out of time, and says how to do better", () => {
    const call = waiting(new Timeout({ callTotalMs: 1000, taskTotalMs: 5000 }), createCall("slow"));
    vi.advanceTimersByTime(99);
    expect(call.stopped).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(call.stopped.map(({ message, code, details }) => [message, code, details])).toEqual([
      [
        'The tool "slow" did not finish: stopped after 100 ms (limit 100 ms without progress). Ask for less at once, or have the timeout of the tool raised.',
        "TIMEOUT",
        { limit: "callTimeoutMs", elapsedMs: 100, timeoutMs: 100 },
      ],
    ]);
  });

  test("leaves a call alone that ended in time", () => {
    const layer = new Timeout({ callTotalMs: 1000, taskTotalMs: 5000 });
    const call = waiting(layer, createCall("quick"));
    layer.leave(call);
    vi.advanceTimersByTime(1000);
    expect(call.stopped).toEqual([]);
  });

  test("stops each call at its own time, the shorter one first", () => {
    const layer = new Timeout({ callTotalMs: 1000, taskTotalMs: 5000 });
    const long = waiting(layer, createCall("long", { timeoutMs: 300 }));
    const short = waiting(layer, createCall("short", { timeoutMs: 50 }));
    vi.advanceTimersByTime(50);
    expect([long.stopped.length, short.stopped.length]).toEqual([0, 1]);
    layer.leave(short);
    vi.advanceTimersByTime(250);
    expect([long.stopped.length, short.stopped.length]).toEqual([1, 1]);
  });

  test("progress moves the deadline, but not beyond the total", () => {
    const layer = new Timeout({ callTotalMs: 150, taskTotalMs: 5000 });
    const call = waiting(layer, createCall("busy"));
    vi.advanceTimersByTime(80);
    call.deadline = 180;
    vi.advanceTimersByTime(60);
    expect(call.stopped).toEqual([]);
    call.deadline = 240;
    vi.advanceTimersByTime(10);
    expect(call.stopped.map(({ details }) => details)).toEqual([
      { limit: "callTotalMs", elapsedMs: 150, timeoutMs: 150 },
    ]);
  });

  test("a task is told the limit of tasks", () => {
    const call = waiting(
      new Timeout({ callTotalMs: 150, taskTotalMs: 5000 }),
      createCall("long", { timeoutMs: 5000, totalLimit: "taskTotalMs" }),
    );
    vi.advanceTimersByTime(5000);
    expect(call.stopped.map(({ details }) => details)).toEqual([
      { limit: "taskTotalMs", elapsedMs: 5000, timeoutMs: 5000 },
    ]);
  });

  test("the time in which a client is asked does not count", () => {
    const layer = new Timeout({ callTotalMs: 150, taskTotalMs: 5000 });
    const call = waiting(layer, createCall("asking"));
    call.isAsking = true;
    vi.advanceTimersByTime(10_000);
    expect(call.stopped).toEqual([]);
    call.isAsking = false;
    vi.advanceTimersByTime(99);
    expect(call.stopped).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(call.stopped).toHaveLength(1);
  });

  test("a tool may take longer than a timer can hold", () => {
    const layer = new Timeout({ callTotalMs: 1000, taskTotalMs: 5000 });
    const call = waiting(layer, createCall("patient", { timeoutMs: 3_000_000_000 }));
    vi.advanceTimersByTime(60_000);
    expect(call.stopped).toEqual([]);
    expect(vi.getTimerCount()).toBe(1);
  });
});

test("Observe tells of each call when it is over", () => {
  const reports: CallReport[] = [];
  const metrics = new Metrics();
  const layer = new Observe(metrics, (report) => reports.push(report));
  const [first, second] = [createCall("a"), createCall("b")];
  layer.enter(first);
  vi.advanceTimersByTime(20);
  layer.enter(second);
  vi.advanceTimersByTime(5);
  layer.leave(second);
  layer.leave(first);
  expect(reports).toEqual([
    { kind: "tool", name: "b", principal: undefined, trace: undefined, ending: "ok", code: undefined, durationMs: 5 },
    { kind: "tool", name: "a", principal: undefined, trace: undefined, ending: "ok", code: undefined, durationMs: 25 },
  ]);
  expect(metrics.all().map(({ name, endings, seconds }) => [name, endings.ok, seconds])).toEqual([
    ["b", 1, 0.005],
    ["a", 1, 0.025],
  ]);
});
