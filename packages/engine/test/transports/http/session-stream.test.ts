import { describe, expect, test } from "vitest";
import type { Server } from "../../../src/server/server.js";
import { EventStream, EventStreams } from "../../../src/transports/http/event-streams.js";
import { SessionStream } from "../../../src/transports/http/http-session.js";
import { DEFAULT_HTTP_LIMITS } from "../../../src/transports/http/options.js";
import type { StreamEvent } from "../../../src/transports/http/session-manager.js";

/** A connection that records the ids of its events. */
function connect() {
  const ids: string[] = [];
  const write = (text: string): void => void ids.push(/^id: (.*)$/m.exec(text)?.[1] ?? text);
  const sink = { bufferedBytes: 0, write, end: () => void ids.push("end"), destroy: () => undefined };
  const all = new EventStreams(DEFAULT_HTTP_LIMITS, {
    log: () => undefined,
    metrics: { streams: 0 },
  } as unknown as Server);
  return { ids, stream: new EventStream(sink, all, undefined, () => undefined) };
}

/** A stream whose event log returns at most `limit` events, optionally as a promise. */
function open({ isAsync = false, limit = 100 } = {}): SessionStream {
  const stored: StreamEvent[] = [];
  return new SessionStream("1", {
    append: (event) => void stored.push(event),
    readAfter: (_name, after) => {
      const found = () => stored.filter(({ number }) => number > after).slice(0, limit);
      return isAsync ? Promise.resolve().then(found) : found();
    },
  });
}

describe("a session stream", () => {
  test("stores events while nobody is connected, and sends them to the next connection", async () => {
    const stream = open();
    stream.send("a");
    const { ids, stream: connection } = connect();
    await stream.catchUp(connection, 0);
    stream.send("b");
    expect(ids).toEqual(["1-1", "1-2"]);
    expect(stream.lastSent).toBe(2);
  });

  test("keeps the order while a connection catches up", async () => {
    const stream = open({ isAsync: true });
    stream.send("a");
    const { ids, stream: connection } = connect();
    const caught = stream.catchUp(connection, 0);
    stream.send("b");
    stream.send("c", true);
    await caught;
    expect(ids).toEqual(["1-1", "1-2", "1-3", "end"]);
  });

  test("continues with the newest connection, also while another catches up", async () => {
    const stream = open({ isAsync: true });
    stream.send("a");
    const [one, two] = [connect(), connect()];
    await Promise.all([stream.catchUp(one.stream, 0), stream.catchUp(two.stream, 0)]);
    stream.send("b");
    expect([one.ids, two.ids]).toEqual([[], ["1-1", "1-2"]]);
  });

  test("reports whether a removed connection was the current one", async () => {
    const stream = open();
    const [one, two] = [connect(), connect()];
    await stream.catchUp(one.stream, 0);
    await stream.catchUp(two.stream, 0);
    expect([
      stream.removeConnection(one.stream),
      stream.removeConnection(two.stream),
      stream.removeConnection(two.stream),
    ]).toEqual([false, true, false]);
    stream.send("a");
    expect([one.ids, two.ids, stream.lastSent]).toEqual([[], [], 0]);
  });

  test("keeps the last sent number when older events are sent again", async () => {
    const stream = open({ limit: 1 });
    const [one, two] = [connect(), connect()];
    await stream.catchUp(one.stream, 0);
    for (const message of ["a", "b", "c"]) stream.send(message);
    const caught = stream.catchUp(two.stream, 1);
    expect([two.ids, stream.lastSent]).toEqual([["1-2"], 3]);
    await caught;
  });
});
