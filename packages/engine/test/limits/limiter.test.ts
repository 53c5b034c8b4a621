import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { CallLimiter } from "../../src/server/limits/limiter.js";
import { DEFAULT_LIMITS } from "../../src/server/limits/limits.js";
import { type CallReport, MetricsCollector } from "../../src/server/limits/metrics.js";
import type { ServerState } from "../../src/server/state.js";
import { recordedCall } from "./recorded-call.js";

beforeEach(() => vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "hrtime"] }));
afterEach(() => vi.useRealTimers());

test("CallLimiter reports each call when it ends", async () => {
  const reports: CallReport[] = [];
  const log = (): undefined => undefined;
  const onCall = (report: CallReport): void => void reports.push(report);
  const metrics = new MetricsCollector({ settings: { log } } as unknown as ServerState, { log, onCall });
  const limiter = new CallLimiter({ limits: DEFAULT_LIMITS, onEnd: metrics.onCallEnd });
  const [first, second] = [recordedCall({ name: "a" }), recordedCall({ name: "b" })];
  limiter.enter(first);
  // The clock is read once per turn.
  await Promise.resolve();
  vi.advanceTimersByTime(20);
  limiter.enter(second);
  vi.advanceTimersByTime(5);
  for (const call of [second, first]) limiter.leave(call);
  expect(reports).toEqual([
    { kind: "tool", name: "b", principal: undefined, trace: undefined, outcome: "ok", code: undefined, durationMs: 5 },
    { kind: "tool", name: "a", principal: undefined, trace: undefined, outcome: "ok", code: undefined, durationMs: 25 },
  ]);
  expect(metrics.calls().map(({ name, outcomes, totalSeconds }) => [name, outcomes.ok, totalSeconds])).toEqual([
    ["b", 1, 0.005],
    ["a", 1, 0.025],
  ]);
});
