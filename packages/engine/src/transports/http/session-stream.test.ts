import { describe, expect, test } from "vitest";
import { EventStream } from "./event-streams.js";
import type { StreamEvent } from "./session-store.js";
import { SessionStream } from "./session-stream.js";

/** A connection that notes the ids of what it was told. */
function connect() {
  const ids: string[] = [];
  const write = (text: string): void => void ids.push(/^id: (.*)$/m.exec(text)?.[1] ?? text);
  const sink = { buffered: 0, write, end: () => void ids.push("end"), drop: () => undefined };
  return { ids, stream: new EventStream(sink, 1000, () => undefined) };
}

function open() {
  const kept: StreamEvent[] = [];
  const stream = new SessionStream("1", (event) => void kept.push(event));
  const read = (_name: string, after: number) => kept.filter(({ number }) => number > after);
  const readLate = async (name: string, after: number) => {
    await Promise.resolve();
    return read(name, after);
  };
  return { stream, read, readLate };
}

describe("a stream of a session", () => {
  test("keeps what comes while nobody is connected, and tells it who comes", async () => {
    const { stream, read } = open();
    stream.send("a");
    const { ids, stream: connection } = connect();
    await stream.catchUp(connection, 0, read);
    stream.send("b");
    expect(ids).toEqual(["1-1", "1-2"]);
    expect(stream.told).toBe(2);
  });

  test("lets nothing overtake what is still being read", async () => {
    const { stream, readLate } = open();
    stream.send("a");
    const { ids, stream: connection } = connect();
    const caught = stream.catchUp(connection, 0, readLate);
    stream.send("b");
    stream.send("c", true);
    await caught;
    expect(ids).toEqual(["1-1", "1-2", "1-3", "end"]);
  });

  test("goes on with whoever came last, also while it is being read", async () => {
    const { stream, readLate } = open();
    stream.send("a");
    const [one, two] = [connect(), connect()];
    await Promise.all([stream.catchUp(one.stream, 0, readLate), stream.catchUp(two.stream, 0, readLate)]);
    stream.send("b");
    expect([one.ids, two.ids]).toEqual([[], ["1-1", "1-2"]]);
  });

  test("says whether the connection that left was the one in use", async () => {
    const { stream, read } = open();
    const [one, two] = [connect(), connect()];
    await stream.catchUp(one.stream, 0, read);
    await stream.catchUp(two.stream, 0, read);
    expect([stream.leave(one.stream), stream.leave(two.stream), stream.leave(two.stream)]).toEqual([
      false,
      true,
      false,
    ]);
    stream.send("a");
    expect([one.ids, two.ids, stream.told]).toEqual([[], [], 0]);
  });

  test("does not forget what was told when older events are told again", async () => {
    const { stream, read } = open();
    const [one, two] = [connect(), connect()];
    await stream.catchUp(one.stream, 0, read);
    for (const message of ["a", "b", "c"]) stream.send(message);
    await stream.catchUp(two.stream, 1, (name, after) => read(name, after).slice(0, after === 1 ? 1 : 0));
    expect([two.ids, stream.told]).toEqual([["1-2"], 3]);
  });
});
