import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { monotonic } from "../clock.js";
import { Metrics } from "../metrics.js";
import { type CallReport, Observe } from "./observe.js";
import { type RecordedCall, recordedCall } from "./recorded-call.js";
import { Timeout } from "./timeout.js";

beforeEach(() => vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "hrtime"] }));
afterEach(() => vi.useRealTimers());

const waiting = (layer: Timeout, call: RecordedCall): RecordedCall => {
  layer.enter();
  layer.wait(call);
  return call;
};

describe("Timeout", () => {
  test("stops a call that runs out of time, and says how to do better", () => {
    const call = waiting(new Timeout({ callTotalMs: 1000, taskTotalMs: 5000 }), recordedCall({ name: "slow" }));
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
    const call = waiting(layer, recordedCall({ name: "quick" }));
    layer.leave(call);
    vi.advanceTimersByTime(1000);
    expect(call.stopped).toEqual([]);
  });

  test("stops each call at its own time, the shorter one first", () => {
    const layer = new Timeout({ callTotalMs: 1000, taskTotalMs: 5000 });
    const long = waiting(layer, recordedCall({ name: "long", timeoutMs: 300 }));
    const short = waiting(layer, recordedCall({ name: "short", timeoutMs: 50 }));
    vi.advanceTimersByTime(50);
    expect([long.stopped.length, short.stopped.length]).toEqual([0, 1]);
    layer.leave(short);
    vi.advanceTimersByTime(250);
    expect([long.stopped.length, short.stopped.length]).toEqual([1, 1]);
  });

  test("progress moves the deadline, but not beyond the total", () => {
    const layer = new Timeout({ callTotalMs: 150, taskTotalMs: 5000 });
    const call = waiting(layer, recordedCall({ name: "busy" }));
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
      recordedCall({ name: "long", timeoutMs: 5000, totalLimit: "taskTotalMs" }),
    );
    vi.advanceTimersByTime(5000);
    expect(call.stopped.map(({ details }) => details)).toEqual([
      { limit: "taskTotalMs", elapsedMs: 5000, timeoutMs: 5000 },
    ]);
  });

  test("the time in which a client is asked does not count", () => {
    const layer = new Timeout({ callTotalMs: 150, taskTotalMs: 5000 });
    const call = waiting(layer, recordedCall({ name: "asking" }));
    call.isAsking = true;
    vi.advanceTimersByTime(10_000);
    expect(call.stopped).toEqual([]);
    call.isAsking = false;
    vi.advanceTimersByTime(99);
    expect(call.stopped).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(call.stopped).toHaveLength(1);
  });

  test("stops a call when its caller waits no longer", () => {
    const layer = new Timeout({ callTotalMs: 1000, taskTotalMs: 5000 });
    const call = recordedCall({ name: "slow" });
    call.patienceMs = 40;
    waiting(layer, call);
    vi.advanceTimersByTime(39);
    expect(call.stopped).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(call.stopped.map(({ message, code, details }) => [message, code, details])).toEqual([
      [
        'The tool "slow" did not finish: stopped after 40 ms, because its caller waits no longer. Ask for less at once, or wait longer for it.',
        "TIMEOUT",
        { limit: "deadline", elapsedMs: 40, timeoutMs: 40 },
      ],
    ]);
  });

  test("a task goes on, however long whoever began it would have waited", () => {
    const layer = new Timeout({ callTotalMs: 1000, taskTotalMs: 5000 });
    const call = recordedCall({ name: "long", timeoutMs: 5000, totalLimit: "taskTotalMs" });
    call.patienceMs = 40;
    waiting(layer, call);
    vi.advanceTimersByTime(4999);
    expect(call.stopped).toEqual([]);
  });

  test("a tool may take longer than a timer can hold", () => {
    const layer = new Timeout({ callTotalMs: 1000, taskTotalMs: 5000 });
    const call = waiting(layer, recordedCall({ name: "patient", timeoutMs: 3_000_000_000 }));
    vi.advanceTimersByTime(60_000);
    expect(call.stopped).toEqual([]);
    expect(vi.getTimerCount()).toBe(1);
  });
});

test("Observe tells of each call when it is over", async () => {
  const reports: CallReport[] = [];
  const metrics = new Metrics();
  const layer = new Observe(
    metrics,
    () => undefined,
    (report) => reports.push(report),
  );
  const [first, second] = [recordedCall({ name: "a" }), recordedCall({ name: "b" })];
  layer.enter(first);
  // The time is looked at once in a turn.
  await Promise.resolve();
  vi.advanceTimersByTime(20);
  layer.enter(second);
  vi.advanceTimersByTime(5);
  for (const call of [second, first]) layer.leave(call, monotonic());
  expect(reports).toEqual([
    { kind: "tool", name: "b", principal: undefined, trace: undefined, ending: "ok", code: undefined, durationMs: 5 },
    { kind: "tool", name: "a", principal: undefined, trace: undefined, ending: "ok", code: undefined, durationMs: 25 },
  ]);
  expect(metrics.all().map(({ name, endings, seconds }) => [name, endings.ok, seconds])).toEqual([
    ["b", 1, 0.005],
    ["a", 1, 0.025],
  ]);
});
