import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { LogEntry } from "../../server/log.js";
import type { Arrival } from "./arrival.js";
import { EventStreams } from "./event-streams.js";
import type { HttpReply } from "./host.js";
import { createHttpLimits } from "./limits.js";

/** A client that takes what it is told to take. */
function createClient() {
  const client = {
    written: "",
    buffered: 0,
    isSlow: false,
    end: "",
    reply: undefined as unknown as HttpReply,
  };
  client.reply = {
    onGone: undefined,
    send: () => undefined,
    open: () => ({
      get buffered() {
        return client.buffered;
      },
      write: (text) => {
        client.written += text;
        if (client.isSlow) client.buffered += text.length;
      },
      end: () => {
        client.end = "ended";
      },
      drop: () => {
        client.end = "dropped";
      },
    }),
  };
  return client;
}

const arrival = {
  request: { method: "GET", path: "/mcp", query: "", peer: undefined, isSecure: false, header: () => undefined },
  verified: { principal: undefined, scopes: undefined },
  accepted: { json: true, stream: true },
  gate: undefined,
} as unknown as Arrival;

function open(limits: Parameters<typeof createHttpLimits>[0] = {}) {
  const entries: LogEntry[] = [];
  const streams = new EventStreams(createHttpLimits(limits), (entry) => void entries.push(entry));
  const gone: string[] = [];
  const connect = (name: string) => {
    const client = createClient();
    return { client, stream: streams.open({ ...arrival, reply: client.reply }, () => gone.push(name)) };
  };
  return { streams, entries, gone, connect };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("event streams", () => {
  test("write messages as events, with an id where there is one", () => {
    const { client, stream } = open().connect("a");
    stream.message("{}");
    stream.message("[]", "1-2");
    expect(client.written).toBe("event: message\ndata: {}\n\nevent: message\nid: 1-2\ndata: []\n\n");
  });

  test("are counted while they are open, however they end", () => {
    const { streams, connect, gone } = open({ streams: 2 });
    const [one, two] = [connect("one"), connect("two")];
    expect(streams.isFull).toBe(true);
    one.stream.end();
    expect(streams.isFull).toBe(false);
    two.client.reply.onGone?.();
    two.client.reply.onGone?.();
    one.client.reply.onGone?.();
    expect(gone).toEqual(["two"]);
    two.stream.message("late");
    expect([one.client.end, two.client.end, two.client.written]).toEqual(["ended", "", ""]);
  });

  test("drop a client that has too much waiting, but not for one large message", () => {
    const { connect, entries, gone } = open({ streamBytes: 100 });
    const { client, stream } = connect("a");
    client.isSlow = true;
    stream.message("x".repeat(500));
    expect(client.end).toBe("");
    stream.message("x");
    expect(client.end).toBe("dropped");
    expect(gone).toEqual(["a"]);
    expect(entries).toEqual([
      { level: "warning", message: "an event stream was dropped: its client reads too slowly" },
    ]);
  });

  test("are kept alive while they are silent, and only then", () => {
    const { connect } = open({ keepAliveMs: 1000 });
    const { client, stream } = connect("a");
    vi.advanceTimersByTime(1000);
    stream.message("{}");
    vi.advanceTimersByTime(1000);
    vi.advanceTimersByTime(1000);
    expect(client.written).toBe(": still here\n\nevent: message\ndata: {}\n\n: still here\n\n");
  });

  test("leave no timer when all have ended", () => {
    const { streams, connect } = open({ keepAliveMs: 1000 });
    connect("a").stream.end();
    vi.advanceTimersByTime(1000);
    expect(vi.getTimerCount()).toBe(0);
    connect("b");
    streams.close();
    expect(vi.getTimerCount()).toBe(0);
  });
});
