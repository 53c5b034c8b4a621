import { describe, expect, test } from "vitest";
import { MemorySessionStore, type SessionRecord } from "../../../src/transports/http/session-manager.js";

const record = (id: string): SessionRecord => ({
  id,
  principal: undefined,
  negotiated: { version: "2025-11-25", caller: { info: undefined, capabilities: {}, logLevel: undefined } },
});

function open(most: { eventsKept?: number; eventBytes?: number }, ...ids: string[]) {
  const store = new MemorySessionStore({ eventsKept: 100, eventBytes: 1000, ...most });
  for (const id of ids) store.save(record(id));
  const append = (id: string, stream: string, number: number, message = "x") =>
    store.append(id, { stream, number, message, isLast: false });
  const numbers = (id: string, stream: string, after = 0) =>
    store.eventsAfter(id, stream, after).map(({ number }) => number);
  return { store, append, numbers };
}

describe("the session store in memory", () => {
  test("finds saved sessions, and no deleted ones", () => {
    const { store, append, numbers } = open({}, "a", "b");
    append("a", "1", 1);
    expect(store.find("a")?.id).toBe("a");
    store.delete("a");
    expect(store.find("a")).toBeUndefined();
    expect(numbers("a", "1")).toEqual([]);
    expect(store.find("b")?.id).toBe("b");
  });

  test("returns the events of one stream after a number, in order", () => {
    const { append, numbers } = open({}, "a", "b");
    for (const number of [1, 2, 3]) append("a", "1", number);
    append("a", "2", 1);
    append("b", "1", 7);
    expect(numbers("a", "1", 1)).toEqual([2, 3]);
    expect(numbers("a", "2")).toEqual([1]);
    expect(numbers("b", "1")).toEqual([7]);
    expect(numbers("c", "1")).toEqual([]);
  });

  test("stores no events of unknown sessions", () => {
    const { append, numbers } = open({});
    append("a", "1", 1);
    expect(numbers("a", "1")).toEqual([]);
  });

  test("stores a limited number of the latest events per session", () => {
    const { append, numbers } = open({ eventsKept: 2 }, "a", "b");
    for (const number of [1, 2, 3]) append("a", "1", number);
    append("b", "1", 1);
    expect(numbers("a", "1")).toEqual([2, 3]);
    expect(numbers("b", "1")).toEqual([1]);
  });

  test("stores a limited number of bytes: the oldest events of the least active session are evicted first", () => {
    const { store, append, numbers } = open({ eventBytes: 100 }, "a", "b");
    append("a", "1", 1, "x".repeat(40));
    append("a", "1", 2, "x".repeat(20));
    append("b", "1", 1, "x".repeat(40));
    append("b", "1", 2, "x".repeat(10));
    expect(numbers("a", "1")).toEqual([2]);
    append("b", "1", 3, "x".repeat(60));
    expect([numbers("a", "1"), numbers("b", "1")]).toEqual([[], [2, 3]]);
    // What was deleted is not counted any more.
    store.delete("b");
    append("a", "1", 3, "x".repeat(100));
    expect(numbers("a", "1")).toEqual([3]);
  });

  test("does not store an event that exceeds the limit alone", () => {
    const { append, numbers } = open({ eventBytes: 10 }, "a");
    append("a", "1", 1, "x".repeat(11));
    expect(numbers("a", "1")).toEqual([]);
    append("a", "1", 2, "x".repeat(10));
    expect(numbers("a", "1")).toEqual([2]);
  });
});
