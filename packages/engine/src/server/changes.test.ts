import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Changes, type Listener } from "./changes.js";
import type { LogEntry } from "./log.js";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const turn = () => vi.advanceTimersByTimeAsync(0);
const rested = (ms: number) => vi.advanceTimersByTimeAsync(ms);

/** A feed, what its log heard, and a listener that notes the texts it is told. */
function feed(limits: { changeRestMs?: number; changesPending?: number } = {}) {
  const entries: LogEntry[] = [];
  const told: string[] = [];
  const changes = new Changes(
    { changeRestMs: 20, changesPending: 1000, ...limits },
    (entry) => void entries.push(entry),
  );
  const note: Listener = ({ change }) => void told.push(change.of === "resource" ? change.uri : change.of);
  return { changes, entries, told, note };
}

describe("a change", () => {
  test("is told in the next turn, not in this one", async () => {
    const { changes, told, note } = feed();
    changes.listen("tools", note);
    changes.publish({ of: "tools" });
    expect(told).toEqual([]);
    await turn();
    expect(told).toEqual(["tools"]);
  });

  test("that nobody listens to costs nothing and is not told later", async () => {
    const { changes, told, note } = feed();
    changes.publish({ of: "tools" });
    changes.listen("tools", note);
    await rested(40);
    expect(told).toEqual([]);
  });

  test("is told to nobody who stopped listening before its turn", async () => {
    const { changes, told, note } = feed();
    const stop = changes.listen("tools", note);
    changes.publish({ of: "tools" });
    stop();
    stop();
    await turn();
    expect(told).toEqual([]);
  });

  test("of a resource is told to those above it, and once to one who watches both", async () => {
    const { changes, told, note } = feed();
    for (const uri of ["file:///a/b", "file:///a/", "file:///a", "file:///ab", "file:///a/b/c"])
      changes.listen(`resource ${uri}`, note);
    changes.publish({ of: "resource", uri: "file:///a/b" });
    await turn();
    expect(told).toEqual(["file:///a/b"]);
    changes.listen("resource file:///x", note);
    changes.publish({ of: "resource", uri: "file:///xy" });
    await turn();
    expect(told).toEqual(["file:///a/b"]);
  });

  test("is told to the others when one listener fails, and the log says so", async () => {
    const { changes, entries, told, note } = feed();
    changes.listen("tools", () => {
      throw new Error("the pipe is closed");
    });
    changes.listen("tools", note);
    changes.publish({ of: "tools" });
    await turn();
    expect(told).toEqual(["tools"]);
    expect(entries).toMatchObject([
      { level: "error", message: "notifications/tools/list_changed could not be told to one of its listeners" },
    ]);
    changes.publish({ of: "tools" });
    await rested(60);
    expect(told).toEqual(["tools", "tools"]);
  });
});

describe("a burst", () => {
  test("of one topic is told once now and once after the rest", async () => {
    const { changes, told, note } = feed();
    changes.listen("tools", note);
    for (let at = 0; at < 1000; at += 1) changes.publish({ of: "tools" });
    await turn();
    expect(told).toHaveLength(1);
    for (let at = 0; at < 1000; at += 1) changes.publish({ of: "tools" });
    await turn();
    expect(told).toHaveLength(1);
    await rested(60);
    expect(told).toHaveLength(2);
    await rested(60);
    expect(told).toHaveLength(2);
  });

  test("of one topic leaves the others alone", async () => {
    const { changes, told, note } = feed();
    for (const topic of ["tools", "prompts", "resource a:b"]) changes.listen(topic, note);
    changes.publish({ of: "tools" });
    await turn();
    changes.publish({ of: "tools" });
    changes.publish({ of: "prompts" });
    changes.publish({ of: "resource", uri: "a:b" });
    await turn();
    expect(told).toEqual(["tools", "prompts", "a:b"]);
  });

  test("of more topics than may wait loses the last ones, and the log says how many", async () => {
    const { changes, entries, told, note } = feed({ changesPending: 3 });
    changes.listen("resource a:/", note);
    for (let at = 0; at < 10; at += 1) changes.publish({ of: "resource", uri: `a:/${at}` });
    changes.publish({ of: "resource", uri: "a:/0" });
    await turn();
    expect(told).toEqual(["a:/0", "a:/1", "a:/2"]);
    expect(entries).toEqual([{ level: "warning", message: "7 changes were not told: 3 came in the same moment" }]);
  });

  test("of more topics than may rest is told without a rest", async () => {
    const { changes, told, note } = feed({ changesPending: 2 });
    changes.listen("resource a:/", note);
    for (const name of ["1", "2", "3", "3", "1"]) {
      changes.publish({ of: "resource", uri: `a:/${name}` });
      await turn();
    }
    expect(told).toEqual(["a:/1", "a:/2", "a:/3", "a:/3"]);
    await rested(60);
    expect(told).toEqual(["a:/1", "a:/2", "a:/3", "a:/3", "a:/1"]);
  });
});

test("a listener may stop and publish while it is told", async () => {
  const { changes, told, note } = feed();
  const stop = changes.listen("tools", () => {
    stop();
    changes.publish({ of: "prompts" });
  });
  changes.listen("tools", note);
  changes.listen("prompts", note);
  changes.publish({ of: "tools" });
  await rested(1);
  expect(told).toEqual(["tools", "prompts"]);
});

test("rests do not keep the process alive", async () => {
  const timers: NodeJS.Timeout[] = [];
  const start = globalThis.setTimeout;
  const noting = (run: () => void, ms?: number): NodeJS.Timeout => {
    const timer = start(run, ms);
    timers.push(timer);
    return timer;
  };
  const { changes, note } = feed();
  changes.listen("tools", note);
  try {
    globalThis.setTimeout = noting as typeof start;
    changes.publish({ of: "tools" });
    await turn();
    changes.publish({ of: "tools" });
    await rested(20);
  } finally {
    globalThis.setTimeout = start;
  }
  expect(timers.map((timer) => timer.hasRef())).toEqual([false, false]);
});
