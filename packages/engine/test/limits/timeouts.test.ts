import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { CallTimeouts } from "../../src/server/limits/timeouts.js";
import { type RecordedCall, recordedCall } from "./recorded-call.js";

beforeEach(() => vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "hrtime"] }));
afterEach(() => vi.useRealTimers());

const startPending = (timeouts: CallTimeouts, call: RecordedCall): RecordedCall => {
  timeouts.add(call);
  return call;
};

describe("a timeout", () => {
  test("stops a call and says what to do", () => {
    const call = startPending(
      new CallTimeouts({ callTotalMs: 1000, taskTotalMs: 5000 }),
      recordedCall({ name: "slow" }),
    );
    vi.advanceTimersByTime(99);
    expect(call.stopped).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(call.stopped.map(({ message, code, details }) => [message, code, details])).toEqual([
      [
        'The tool "slow" did not finish: stopped after 100 ms (limit 100 ms without progress). Ask for less at once, or increase the timeout of the tool.',
        "TIMEOUT",
        { limit: "callTimeoutMs", elapsedMs: 100, timeoutMs: 100 },
      ],
    ]);
  });

  test("does not stop a call that ended in time", () => {
    const timeouts = new CallTimeouts({ callTotalMs: 1000, taskTotalMs: 5000 });
    const call = startPending(timeouts, recordedCall({ name: "quick" }));
    timeouts.delete(call);
    vi.advanceTimersByTime(1000);
    expect(call.stopped).toEqual([]);
  });

  test("stops each call at its own time", () => {
    const timeouts = new CallTimeouts({ callTotalMs: 1000, taskTotalMs: 5000 });
    const long = startPending(timeouts, recordedCall({ name: "long", timeoutMs: 300 }));
    const short = startPending(timeouts, recordedCall({ name: "short", timeoutMs: 50 }));
    vi.advanceTimersByTime(50);
    expect([long.stopped.length, short.stopped.length]).toEqual([0, 1]);
    timeouts.delete(short);
    vi.advanceTimersByTime(250);
    expect([long.stopped.length, short.stopped.length]).toEqual([1, 1]);
  });

  test("is extended by progress, but not beyond the total limit", () => {
    const timeouts = new CallTimeouts({ callTotalMs: 150, taskTotalMs: 5000 });
    const call = startPending(timeouts, recordedCall({ name: "busy" }));
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

  test("of a task names the limit of tasks", () => {
    const call = startPending(
      new CallTimeouts({ callTotalMs: 150, taskTotalMs: 5000 }),
      recordedCall({ name: "long", timeoutMs: 5000, totalLimit: "taskTotalMs" }),
    );
    vi.advanceTimersByTime(5000);
    expect(call.stopped.map(({ details }) => details)).toEqual([
      { limit: "taskTotalMs", elapsedMs: 5000, timeoutMs: 5000 },
    ]);
  });

  test("excludes the time that the client takes to respond", () => {
    const timeouts = new CallTimeouts({ callTotalMs: 150, taskTotalMs: 5000 });
    const call = startPending(timeouts, recordedCall({ name: "asking" }));
    call.isWaitingForClient = true;
    vi.advanceTimersByTime(10_000);
    expect(call.stopped).toEqual([]);
    call.isWaitingForClient = false;
    vi.advanceTimersByTime(99);
    expect(call.stopped).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(call.stopped).toHaveLength(1);
  });

  test("stops a call when the client stops waiting", () => {
    const timeouts = new CallTimeouts({ callTotalMs: 1000, taskTotalMs: 5000 });
    const call = recordedCall({ name: "slow" });
    call.clientTimeoutMs = 40;
    startPending(timeouts, call);
    vi.advanceTimersByTime(39);
    expect(call.stopped).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(call.stopped.map(({ message, code, details }) => [message, code, details])).toEqual([
      [
        'The tool "slow" did not finish: stopped after 40 ms, as long as the client waits. Ask for less at once, or increase the client\'s timeout.',
        "TIMEOUT",
        { limit: "deadline", elapsedMs: 40, timeoutMs: 40 },
      ],
    ]);
  });

  test("of the client does not apply to tasks", () => {
    const timeouts = new CallTimeouts({ callTotalMs: 1000, taskTotalMs: 5000 });
    const call = recordedCall({ name: "long", timeoutMs: 5000, totalLimit: "taskTotalMs" });
    call.clientTimeoutMs = 40;
    startPending(timeouts, call);
    vi.advanceTimersByTime(4999);
    expect(call.stopped).toEqual([]);
  });

  test("may be longer than a timer supports", () => {
    const timeouts = new CallTimeouts({ callTotalMs: 1000, taskTotalMs: 5000 });
    const call = startPending(timeouts, recordedCall({ name: "patient", timeoutMs: 3_000_000_000 }));
    vi.advanceTimersByTime(60_000);
    expect(call.stopped).toEqual([]);
    expect(vi.getTimerCount()).toBe(1);
  });
});
