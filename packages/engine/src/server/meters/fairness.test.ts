import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { monotonic } from "../clock.js";
import { Admission } from "./admission.js";
import { Principals } from "./principals.js";
import { type RecordedCall, recordedCall } from "./recorded-call.js";
import { Share } from "./share.js";

beforeEach(() => vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "hrtime"] }));
afterEach(() => vi.useRealTimers());

/** A server on which calls begin when the test lets others end; it notes the order in which they began. */
function bench(limits: Partial<ConstructorParameters<typeof Admission>[0]> = {}) {
  const meter = new Admission({ server: { calls: 1 }, queued: 10_000, ...limits });
  const order: string[] = [];
  const running: RecordedCall[] = [];
  return {
    meter,
    order,
    call: (name: string, traits: Parameters<typeof recordedCall>[0] = {}): RecordedCall => {
      const begin = (): void => {
        order.push(name);
        running.push(call);
      };
      const call: RecordedCall = recordedCall({ name, ...traits, after: begin });
      if (meter.enter(call)) begin();
      return call;
    },
    /** Ends what runs, one after the other, until nothing does. */
    drain: async (): Promise<void> => {
      for (let call = running.shift(); call !== undefined; call = running.shift()) {
        meter.leave(call, monotonic());
        await Promise.resolve();
      }
    },
    end: async (name: string): Promise<void> => {
      const at = running.findIndex((call) => call.name === name);
      for (const call of running.splice(at, 1)) meter.leave(call, monotonic());
      await Promise.resolve();
    },
  };
}

test("clients take turns, and the calls of each begin in the order in which they came", async () => {
  const { call, order, drain } = bench();
  for (let at = 0; at < 1000; at += 1) call(`ada ${at}`, { principal: "ada" });
  for (let at = 0; at < 3; at += 1) call(`bob ${at}`, { principal: "bob" });
  await drain();
  expect(order.slice(0, 9)).toEqual(["ada 0", "ada 1", "bob 0", "ada 2", "bob 1", "ada 3", "bob 2", "ada 4", "ada 5"]);
  expect(order).toHaveLength(1003);
});

test("sessions take turns where nobody is told apart", async () => {
  const { call, order, drain } = bench();
  const [one, two] = [{}, {}];
  for (const name of ["one 0", "one 1", "one 2"]) call(name, { session: one });
  for (const name of ["two 0", "two 1"]) call(name, { session: two });
  await drain();
  expect(order).toEqual(["one 0", "one 1", "two 0", "one 2", "two 1"]);
});

test("a call that waits for its tool keeps no other from going on, and nobody overtakes it to the tool", async () => {
  const { call, order, drain } = bench({ server: { calls: 3 } });
  const share = new Share({ calls: 1 });
  call("slow 0", { share });
  call("slow 1", { share });
  call("quick 0");
  call("slow 2", { share });
  call("quick 1");
  expect(order).toEqual(["slow 0", "quick 0", "quick 1"]);
  await drain();
  expect(order).toEqual(["slow 0", "quick 0", "quick 1", "slow 1", "slow 2"]);
});

test("clients take turns for the places of a tool as well", async () => {
  const { call, order, drain } = bench({ server: { calls: 100 } });
  const share = new Share({ calls: 1 });
  for (let at = 0; at < 4; at += 1) call(`ada ${at}`, { share, principal: "ada" });
  for (let at = 0; at < 2; at += 1) call(`bob ${at}`, { share, principal: "bob" });
  await drain();
  expect(order).toEqual(["ada 0", "ada 1", "bob 0", "ada 2", "bob 1", "ada 3"]);
});

test("a principal uses no more than its share, and keeps nobody else from going on", async () => {
  const { call, order, drain } = bench({ server: { calls: 10 }, perPrincipal: { calls: 2 } });
  for (let at = 0; at < 4; at += 1) call(`ada ${at}`, { principal: "ada" });
  call("bob 0", { principal: "bob" });
  expect(order).toEqual(["ada 0", "ada 1", "bob 0"]);
  await drain();
  expect(order).toEqual(["ada 0", "ada 1", "bob 0", "ada 2", "ada 3"]);
});

test("where nobody is told apart everybody has one share, for which sessions take turns", async () => {
  const { call, order, drain } = bench({ server: { calls: 10 }, perPrincipal: { calls: 1 } });
  const [one, two] = [{}, {}];
  for (const name of ["one 0", "one 1", "one 2"]) call(name, { session: one });
  call("two 0", { session: two });
  expect(order).toEqual(["one 0"]);
  await drain();
  expect(order).toEqual(["one 0", "one 1", "two 0", "one 2"]);
});

test("a place of a tool goes to whoever can use it", async () => {
  const { call, order, end, drain } = bench({ server: { calls: 10 }, perPrincipal: { calls: 1 } });
  const share = new Share({ calls: 1 });
  call("ada other", { principal: "ada" });
  call("eve slow", { principal: "eve", share });
  call("ada slow", { principal: "ada", share });
  call("bob slow", { principal: "bob", share });
  await end("eve slow");
  expect(order).toEqual(["ada other", "eve slow", "bob slow"]);
  await drain();
  expect(order.at(-1)).toBe("ada slow");
});

test("a place of a tool that was offered to a call that gives up goes to another", async () => {
  const { meter, call, order, end } = bench({ server: { calls: 2 } });
  const share = new Share({ calls: 1 });
  call("slow", { share });
  call("other", { principal: "eve" });
  const offered = call("ada slow", { share, principal: "ada" });
  call("bob slow", { share, principal: "bob" });
  call("eve waits", { principal: "eve" });
  await end("slow");
  meter.leave(offered, 0);
  await end("other");
  expect(order).toEqual(["slow", "other", "eve waits", "bob slow"]);
  expect(meter.queued).toBe(0);
});

test("where all that may wait do, the client with the most of them makes room for one that has fewer", () => {
  const { call } = bench({ queued: 3 });
  call("running");
  const [first, second, third] = ["ada 0", "ada 1", "ada 2"].map((name) => call(name, { principal: "ada" }));
  call("bob 0", { principal: "bob" });
  expect([first, second, third].map((one) => one?.stopped.map(({ code }) => code))).toEqual([[], [], ["BUSY"]]);
});

test("a call that was turned away while it waited is not let in, however long its answer takes", async () => {
  const { meter, call, order, drain } = bench({ queued: 2 });
  call("running");
  const [, turnedAway] = ["ada 0", "ada 1"].map((name) => call(name, { principal: "ada" }));
  call("bob 0", { principal: "bob" });
  await drain();
  expect(order).toEqual(["running", "ada 0", "bob 0"]);
  meter.leave(turnedAway as RecordedCall, 0);
  expect([meter.enter(recordedCall()), meter.enter(recordedCall())]).toEqual([true, false]);
});

test("of principals who have nothing more to be remembered nothing is", () => {
  const plain = new Principals({ calls: 1 });
  plain.release("ada", plain.shareOf("ada"));
  expect(plain.size).toBe(0);
  const rated = new Principals({ rate: { burst: 1, perSecond: 1 } });
  for (let at = 0; at < 10_001; at += 1) {
    const share = rated.shareOf(`p${at}`);
    share.take();
    share.running -= 1;
    rated.release(`p${at}`, share);
  }
  expect(rated.size).toBe(10_000);
  vi.advanceTimersByTime(1000);
  rated.shareOf("one more");
  expect(rated.size).toBe(1);
});

test("clients that want to hear of progress hear where their waiting calls stand, once the wait is worth a word", async () => {
  const { call, end } = bench();
  const meta = { progressToken: "t" };
  call("a");
  call("b");
  call("c");
  const listening = call("d", { meta });
  vi.advanceTimersByTime(499);
  expect(listening.progress).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(listening.progress).toEqual(["waiting: 2 calls are ahead"]);
  await end("a");
  vi.advanceTimersByTime(500);
  expect(listening.progress).toEqual(["waiting: 2 calls are ahead"]);
  vi.advanceTimersByTime(500);
  expect(listening.progress).toEqual(["waiting: 2 calls are ahead", "waiting: 1 call is ahead"]);
  vi.advanceTimersByTime(5000);
  await end("b");
  vi.advanceTimersByTime(500);
  expect(listening.progress.at(-1)).toBe("waiting: this call is next");
  await end("c");
  vi.advanceTimersByTime(5000);
  expect(listening.progress).toHaveLength(3);
  expect(vi.getTimerCount()).toBe(0);
});

test("a call that waits for its tool hears of those that wait for the same tool", () => {
  const { call } = bench({ server: { calls: 5 } });
  const share = new Share({ calls: 1 });
  for (let at = 0; at < 2; at += 1) call(`slow ${at}`, { share, principal: "ada" });
  const listening = call("slow 2", { share, principal: "bob", meta: { progressToken: 7 } });
  vi.advanceTimersByTime(500);
  expect(listening.progress).toEqual(["waiting: 1 call is ahead"]);
});
