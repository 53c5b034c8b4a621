import { describe, expect, test } from "vitest";
import { EventStream, EventStreams } from "./event-streams.js";
import { DEFAULT_HTTP_LIMITS } from "./limits.js";
import type { StreamEvent } from "./session-store.js";
import { SessionStream } from "./session-stream.js";

/** A connection that notes the ids of what it was told. */
function connect() {
  const ids: string[] = [];
  const write = (text: string): void => void ids.push(/^id: (.*)$/m.exec(text)?.[1] ?? text);
  const sink = { buffered: 0, write, end: () => void ids.push("end"), drop: () => undefined };
  const all = new EventStreams(DEFAULT_HTTP_LIMITS, () => undefined);
  return { ids, stream: new EventStream(sink, all, () => undefined) };
}

/** A stream whose keeper gives what it has at once, or a moment later, and no more than so many events. */
function open({ isLate = false, most = 100 } = {}): SessionStream {
  const kept: StreamEvent[] = [];
  return new SessionStream("1", {
    keep: (event) => void kept.push(event),
    read: (_name, after) => {
      const found = () => kept.filter(({ number }) => number > after).slice(0, most);
      return isLate ? Promise.resolve().then(found) : found();
    },
  });
}

describe("a stream of a session", () => {
  test("keeps what comes while nobody is connected, and tells it who comes", async () => {
    const stream = open();
    stream.send("a");
    const { ids, stream: connection } = connect();
    await stream.catchUp(connection, 0);
    stream.send("b");
    expect(ids).toEqual(["1-1", "1-2"]);
    expect(stream.told).toBe(2);
  });

  test("lets nothing overtake what is still being read", async () => {
    const stream = open({ isLate: true });
    stream.send("a");
    const { ids, stream: connection } = connect();
    const caught = stream.catchUp(connection, 0);
    stream.send("b");
    stream.send("c", true);
    await caught;
    expect(ids).toEqual(["1-1", "1-2", "1-3", "end"]);
  });

  test("goes on with whoever came last, also while it is being read", async () => {
    const stream = open({ isLate: true });
    stream.send("a");
    const [one, two] = [connect(), connect()];
    await Promise.all([stream.catchUp(one.stream, 0), stream.catchUp(two.stream, 0)]);
    stream.send("b");
    expect([one.ids, two.ids]).toEqual([[], ["1-1", "1-2"]]);
  });

  test("says whether the connection that left was the one in use", async () => {
    const stream = open();
    const [one, two] = [connect(), connect()];
    await stream.catchUp(one.stream, 0);
    await stream.catchUp(two.stream, 0);
    expect([stream.leave(one.stream), stream.leave(two.stream), stream.leave(two.stream)]).toEqual([
      false,
      true,
      false,
    ]);
    stream.send("a");
    expect([one.ids, two.ids, stream.told]).toEqual([[], [], 0]);
  });

  test("does not forget what was told when older events are told again", async () => {
    const stream = open({ most: 1 });
    const [one, two] = [connect(), connect()];
    await stream.catchUp(one.stream, 0);
    for (const message of ["a", "b", "c"]) stream.send(message);
    const caught = stream.catchUp(two.stream, 1);
    expect([two.ids, stream.told]).toEqual([["1-2"], 3]);
    await caught;
  });
});
