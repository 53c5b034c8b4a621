import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { CallLimiter, Clients } from "../../src/server/limits/limiter.js";
import { DEFAULT_LIMITS } from "../../src/server/limits/limits.js";
import { type CallLimits, Quota } from "../../src/server/limits/quota.js";
import type { Session } from "../../src/server/session.js";
import { type RecordedCall, recordedCall } from "./recorded-call.js";

beforeEach(() => vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "hrtime"] }));
afterEach(() => vi.useRealTimers());

/** A limiter and the order in which its calls start. */
function createBench({
  callsInFlight = 1,
  callsQueued = 10_000,
  perPrincipal = undefined as CallLimits | undefined,
} = {}) {
  const limiter = new CallLimiter({ limits: { ...DEFAULT_LIMITS, callsInFlight, callsQueued }, perPrincipal });
  const order: string[] = [];
  const running: RecordedCall[] = [];
  return {
    limiter,
    order,
    running,
    call: (name: string, options: Parameters<typeof recordedCall>[0] = {}): RecordedCall => {
      const start = (): void => {
        order.push(name);
        running.push(call);
      };
      const call: RecordedCall = recordedCall({ name, ...options, onProceed: start });
      if (limiter.enter(call)) start();
      return call;
    },
    /** Ends the running calls one by one until none is left. */
    drain: async (): Promise<void> => {
      for (let call = running.shift(); call !== undefined; call = running.shift()) {
        limiter.leave(call);
        await Promise.resolve();
      }
    },
    end: async (name: string): Promise<void> => {
      const at = running.findIndex((call) => call.name === name);
      for (const call of running.splice(at, 1)) limiter.leave(call);
      await Promise.resolve();
    },
  };
}

test("clients take turns, and the calls of each client start in order", async () => {
  const { call, order, drain } = createBench();
  for (let at = 0; at < 1000; at += 1) call(`ada ${at}`, { principal: "ada" });
  for (let at = 0; at < 3; at += 1) call(`bob ${at}`, { principal: "bob" });
  await drain();
  expect(order.slice(0, 9)).toEqual(["ada 0", "ada 1", "bob 0", "ada 2", "bob 1", "ada 3", "bob 2", "ada 4", "ada 5"]);
  expect(order).toHaveLength(1003);
});

test("sessions take turns if clients are not authenticated", async () => {
  const { call, order, drain } = createBench();
  const [one, two] = [{}, {}];
  for (const name of ["one 0", "one 1", "one 2"]) call(name, { session: one });
  for (const name of ["two 0", "two 1"]) call(name, { session: two });
  await drain();
  expect(order).toEqual(["one 0", "one 1", "two 0", "one 2", "two 1"]);
});

test("a call that waits for its tool does not block other tools, and is not overtaken by calls of the same tool", async () => {
  const { call, order, drain } = createBench({ callsInFlight: 3 });
  const quota = new Quota({ calls: 1 });
  call("slow 0", { quota });
  call("slow 1", { quota });
  call("quick 0");
  call("slow 2", { quota });
  call("quick 1");
  expect(order).toEqual(["slow 0", "quick 0", "quick 1"]);
  await drain();
  expect(order).toEqual(["slow 0", "quick 0", "quick 1", "slow 1", "slow 2"]);
});

test("clients take turns for the slots of a tool", async () => {
  const { call, order, drain } = createBench({ callsInFlight: 100 });
  const quota = new Quota({ calls: 1 });
  for (let at = 0; at < 4; at += 1) call(`ada ${at}`, { quota, principal: "ada" });
  for (let at = 0; at < 2; at += 1) call(`bob ${at}`, { quota, principal: "bob" });
  await drain();
  expect(order).toEqual(["ada 0", "ada 1", "bob 0", "ada 2", "bob 1", "ada 3"]);
});

test("a principal cannot exceed its quota, and does not block other principals", async () => {
  const { call, order, drain } = createBench({ callsInFlight: 10, perPrincipal: { calls: 2 } });
  for (let at = 0; at < 4; at += 1) call(`ada ${at}`, { principal: "ada" });
  call("bob 0", { principal: "bob" });
  expect(order).toEqual(["ada 0", "ada 1", "bob 0"]);
  await drain();
  expect(order).toEqual(["ada 0", "ada 1", "bob 0", "ada 2", "ada 3"]);
});

test("clients that are not authenticated share one quota, for which sessions take turns", async () => {
  const { call, order, drain } = createBench({ callsInFlight: 10, perPrincipal: { calls: 1 } });
  const [one, two] = [{}, {}];
  for (const name of ["one 0", "one 1", "one 2"]) call(name, { session: one });
  call("two 0", { session: two });
  expect(order).toEqual(["one 0"]);
  await drain();
  expect(order).toEqual(["one 0", "one 1", "two 0", "one 2"]);
});

test("a slot of a tool goes to a call that can run", async () => {
  const { call, order, end, drain } = createBench({ callsInFlight: 10, perPrincipal: { calls: 1 } });
  const quota = new Quota({ calls: 1 });
  call("ada other", { principal: "ada" });
  call("eve slow", { principal: "eve", quota });
  call("ada slow", { principal: "ada", quota });
  call("bob slow", { principal: "bob", quota });
  await end("eve slow");
  expect(order).toEqual(["ada other", "eve slow", "bob slow"]);
  await drain();
  expect(order.at(-1)).toBe("ada slow");
});

test("a call that waits for its tool keeps its turn while other clients are admitted", async () => {
  const { call, order, end } = createBench({ callsInFlight: 2 });
  const quota = new Quota({ calls: 1 });
  call("running slow", { quota, principal: "eve" });
  call("running", { principal: "bob" });
  call("ada slow", { quota, principal: "ada" });
  for (let at = 0; at < 3; at += 1) call(`bob ${at}`, { principal: "bob" });
  call("bob slow", { quota, principal: "bob" });
  await end("running");
  await end("bob 0");
  expect(order).toEqual(["running slow", "running", "bob 0", "bob 1"]);
  await end("running slow");
  expect(order.at(-1)).toBe("ada slow");
});

test("a new call does not take the slot of a tool for which another client waits", async () => {
  const { limiter, call, order, running } = createBench({ callsInFlight: 10 });
  const quota = new Quota({ calls: 1 });
  call("slow", { quota });
  call("ada slow", { quota, principal: "ada" });
  await Promise.resolve();
  limiter.leave(running.shift() as RecordedCall);
  call("bob slow", { quota, principal: "bob" });
  await Promise.resolve();
  expect(order).toEqual(["slow", "ada slow"]);
});

test("a queue that waits for one tool does not delay calls of other tools", async () => {
  const { call, order, end } = createBench({ callsInFlight: 10 });
  const quota = new Quota({ calls: 1 });
  for (let at = 0; at < 3; at += 1) call(`slow ${at}`, { quota });
  call("quick 0");
  await end("quick 0");
  call("quick 1");
  expect(order).toEqual(["slow 0", "quick 0", "quick 1"]);
});

test("if the queue is full, the client with the most waiting calls is displaced by one with fewer", () => {
  const { call } = createBench({ callsQueued: 3 });
  call("running");
  const [first, second, third] = ["ada 0", "ada 1", "ada 2"].map((name) => call(name, { principal: "ada" }));
  call("bob 0", { principal: "bob" });
  expect([first, second, third].map((one) => one?.stopped.map(({ code }) => code))).toEqual([[], [], ["BUSY"]]);
});

test("a call that was displaced is never admitted", async () => {
  const { limiter, call, order, drain } = createBench({ callsQueued: 2 });
  call("running");
  const [, displaced] = ["ada 0", "ada 1"].map((name) => call(name, { principal: "ada" }));
  call("bob 0", { principal: "bob" });
  await drain();
  expect(order).toEqual(["running", "ada 0", "bob 0"]);
  limiter.leave(displaced as RecordedCall);
  expect([limiter.enter(recordedCall()), limiter.enter(recordedCall())]).toEqual([true, false]);
});

test("idle principals are forgotten, those that have used up their rate last", () => {
  const clients = new Clients({ rate: { burst: 1, perSecond: 1 } });
  const find = (principal: string) => clients.of({ principal, address: undefined, session: {} as Session });
  for (let at = 0; at < 10_000; at += 1) find(`p${at}`).quota?.bucket?.take();
  const busy = find("p0");
  busy.running = 1;
  find("one more");
  expect([clients.size, find("p0") === busy]).toEqual([10_000, true]);
  vi.advanceTimersByTime(1000);
  for (let at = 10_000; at < 20_000; at += 1) find(`p${at}`);
  expect(clients.size).toBeLessThan(10_100);
  expect(find("p0")).toBe(busy);
});

test("a token that arrives while the queue is scanned starts the call that waits for it", async () => {
  let now = 0;
  let step = 0;
  const clock = vi.spyOn(process, "hrtime").mockImplementation(() => {
    now += step;
    return [0, now * 1e6];
  });
  const limiter = new CallLimiter({ limits: DEFAULT_LIMITS, rate: { burst: 1, perSecond: 1000 } });
  limiter.enter(recordedCall());
  const waiting = recordedCall();
  expect(limiter.enter(waiting)).toBe(false);
  await Promise.resolve();
  // The timer is early, and the token arrives between two looks at the clock.
  step = 0.6;
  await vi.advanceTimersByTimeAsync(1);
  step = 0;
  now = 10;
  await vi.advanceTimersByTimeAsync(10);
  clock.mockRestore();
  expect(waiting.events).toEqual(["proceed"]);
});

test("a call that ends delays no other while calls of its tool wait for something else", async () => {
  const limiter = new CallLimiter({ limits: DEFAULT_LIMITS, perPrincipal: { calls: 1 } });
  const quota = new Quota({});
  expect(limiter.enter(recordedCall({ principal: "ada", quota }))).toBe(true);
  expect(limiter.enter(recordedCall({ principal: "ada", quota }))).toBe(false);
  await Promise.resolve();
  const ended = recordedCall({ principal: "bob", quota });
  expect(limiter.enter(ended)).toBe(true);
  limiter.leave(ended);
  expect(limiter.enter(recordedCall({ principal: "bob", quota }))).toBe(true);
});
