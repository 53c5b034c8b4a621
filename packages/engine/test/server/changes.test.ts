import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type ChangeListener, ChangeNotifier } from "../../src/server/changes.js";
import type { LogEntry } from "../../src/server/logging/log.js";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const turn = () => vi.advanceTimersByTimeAsync(0);
const advance = (ms: number) => vi.advanceTimersByTimeAsync(ms);

/** A notifier, its log entries, and a listener that records changes. */
function createNotifier(limits: { changeIntervalMs?: number; changesPending?: number } = {}) {
  const entries: LogEntry[] = [];
  const notified: string[] = [];
  const changes = new ChangeNotifier(
    { changeIntervalMs: 20, changesPending: 1000, ...limits },
    (entry) => void entries.push(entry),
  );
  const listener: ChangeListener = ({ change }) =>
    void notified.push(change.kind === "resource" ? change.uri : change.kind);
  return { changes, entries, notified, listener };
}

describe("a change", () => {
  test("is published in the next turn of the event loop", async () => {
    const { changes, notified, listener } = createNotifier();
    changes.subscribe("tools", listener);
    changes.publish({ kind: "tools" });
    expect(notified).toEqual([]);
    await turn();
    expect(notified).toEqual(["tools"]);
  });

  test("without listeners is not published later", async () => {
    const { changes, notified, listener } = createNotifier();
    changes.publish({ kind: "tools" });
    changes.subscribe("tools", listener);
    await advance(40);
    expect(notified).toEqual([]);
  });

  test("is not sent to a listener that has unsubscribed before", async () => {
    const { changes, notified, listener } = createNotifier();
    const stop = changes.subscribe("tools", listener);
    changes.publish({ kind: "tools" });
    stop();
    stop();
    await turn();
    expect(notified).toEqual([]);
  });

  test("of a resource notifies subscribers of its parents, and each listener once", async () => {
    const { changes, notified, listener } = createNotifier();
    for (const uri of ["file:///a/b", "file:///a/", "file:///a", "file:///ab", "file:///a/b/c"])
      changes.subscribe(`resource ${uri}`, listener);
    changes.publish({ kind: "resource", uri: "file:///a/b" });
    await turn();
    expect(notified).toEqual(["file:///a/b"]);
    changes.subscribe("resource file:///x", listener);
    changes.publish({ kind: "resource", uri: "file:///xy" });
    await turn();
    expect(notified).toEqual(["file:///a/b"]);
  });

  test("reaches the other listeners if one throws, and the error is logged", async () => {
    const { changes, entries, notified, listener } = createNotifier();
    changes.subscribe("tools", () => {
      throw new Error("the pipe is closed");
    });
    changes.subscribe("tools", listener);
    changes.publish({ kind: "tools" });
    await turn();
    expect(notified).toEqual(["tools"]);
    expect(entries).toMatchObject([
      { level: "error", message: "a listener for notifications/tools/list_changed failed" },
    ]);
    changes.publish({ kind: "tools" });
    await advance(60);
    expect(notified).toEqual(["tools", "tools"]);
  });
});

describe("a burst of changes", () => {
  test("of one topic is published once now and once after the interval", async () => {
    const { changes, notified, listener } = createNotifier();
    changes.subscribe("tools", listener);
    for (let at = 0; at < 1000; at += 1) changes.publish({ kind: "tools" });
    await turn();
    expect(notified).toHaveLength(1);
    for (let at = 0; at < 1000; at += 1) changes.publish({ kind: "tools" });
    await turn();
    expect(notified).toHaveLength(1);
    await advance(60);
    expect(notified).toHaveLength(2);
    await advance(60);
    expect(notified).toHaveLength(2);
  });

  test("of one topic does not delay other topics", async () => {
    const { changes, notified, listener } = createNotifier();
    for (const topic of ["tools", "prompts", "resource a:b"]) changes.subscribe(topic, listener);
    changes.publish({ kind: "tools" });
    await turn();
    changes.publish({ kind: "tools" });
    changes.publish({ kind: "prompts" });
    changes.publish({ kind: "resource", uri: "a:b" });
    await turn();
    expect(notified).toEqual(["tools", "prompts", "a:b"]);
  });

  test("of more topics than may be pending drops the last ones, and logs how many", async () => {
    const { changes, entries, notified, listener } = createNotifier({ changesPending: 3 });
    changes.subscribe("resource a:/", listener);
    for (let at = 0; at < 10; at += 1) changes.publish({ kind: "resource", uri: `a:/${at}` });
    changes.publish({ kind: "resource", uri: "a:/0" });
    await turn();
    expect(notified).toEqual(["a:/0", "a:/1", "a:/2"]);
    expect(entries).toEqual([{ level: "warning", message: "dropped 7 change notifications: 3 were already pending" }]);
  });

  test("of more topics than are tracked is published without an interval", async () => {
    const { changes, notified, listener } = createNotifier({ changesPending: 2 });
    changes.subscribe("resource a:/", listener);
    for (const name of ["1", "2", "3", "3", "1"]) {
      changes.publish({ kind: "resource", uri: `a:/${name}` });
      await turn();
    }
    expect(notified).toEqual(["a:/1", "a:/2", "a:/3", "a:/3"]);
    await advance(60);
    expect(notified).toEqual(["a:/1", "a:/2", "a:/3", "a:/3", "a:/1"]);
  });
});

test("a listener may unsubscribe and publish while it is called", async () => {
  const { changes, notified, listener } = createNotifier();
  const stop = changes.subscribe("tools", () => {
    stop();
    changes.publish({ kind: "prompts" });
  });
  changes.subscribe("tools", listener);
  changes.subscribe("prompts", listener);
  changes.publish({ kind: "tools" });
  await advance(1);
  expect(notified).toEqual(["tools", "prompts"]);
});

test("the timers of intervals do not keep the process alive", async () => {
  const timers: NodeJS.Timeout[] = [];
  const start = globalThis.setTimeout;
  const noting = (run: () => void, ms?: number): NodeJS.Timeout => {
    const timer = start(run, ms);
    timers.push(timer);
    return timer;
  };
  const { changes, listener } = createNotifier();
  changes.subscribe("tools", listener);
  try {
    globalThis.setTimeout = noting as typeof start;
    changes.publish({ kind: "tools" });
    await turn();
    changes.publish({ kind: "tools" });
    await advance(20);
  } finally {
    globalThis.setTimeout = start;
  }
  expect(timers.map((timer) => timer.hasRef())).toEqual([false, false]);
});
