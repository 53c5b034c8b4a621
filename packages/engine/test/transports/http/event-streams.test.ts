import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { LogEntry } from "../../../src/server/logging/log.js";
import type { Server } from "../../../src/server/server.js";
import { EventStreams, formatEvent } from "../../../src/transports/http/event-streams.js";
import type { AuthenticatedRequest, HttpResponse } from "../../../src/transports/http/http-message.js";
import { DEFAULT_HTTP_LIMITS, type HttpLimits } from "../../../src/transports/http/options.js";

/** A client whose reading speed the test controls. */
function createClient() {
  const client = {
    written: "",
    buffered: 0,
    isSlow: false,
    closedBy: "",
    response: undefined as unknown as HttpResponse,
  };
  client.response = {
    extraHeaders: undefined,
    onDisconnect: undefined,
    send: () => undefined,
    openStream: () => ({
      get bufferedBytes() {
        return client.buffered;
      },
      write: (text) => {
        client.written += text;
        if (client.isSlow) client.buffered += text.length;
      },
      end: () => {
        client.closedBy = "ended";
      },
      destroy: () => {
        client.closedBy = "destroyed";
      },
    }),
  };
  return client;
}

const authenticated = {
  request: {
    method: "GET",
    path: "/mcp",
    query: "",
    remoteAddress: undefined,
    isSecure: false,
    header: () => undefined,
  },
  authInfo: { principal: undefined, scopes: undefined },
  accepts: { json: true, stream: true },
  authenticator: undefined,
} as unknown as AuthenticatedRequest;

function open(limits: Partial<HttpLimits> = {}) {
  const entries: LogEntry[] = [];
  const server = { log: (entry: LogEntry) => void entries.push(entry), metrics: { streams: 0 } };
  const streams = new EventStreams({ ...DEFAULT_HTTP_LIMITS, ...limits }, server as unknown as Server);
  const closed: string[] = [];
  const connect = (name: string) => {
    const client = createClient();
    return {
      client,
      stream: streams.open({ ...authenticated, response: client.response }, () => closed.push(name)),
    };
  };
  return { streams, entries, closed, connect };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("event streams", () => {
  test("write messages as events, with an optional id", () => {
    const { client, stream } = open().connect("a");
    stream.send("{}");
    stream.write(formatEvent("[]", "1-2"));
    expect(client.written).toBe("event: message\ndata: {}\n\nevent: message\nid: 1-2\ndata: []\n\n");
  });

  test("are counted while they are open, regardless of how they end", () => {
    const { streams, connect, closed } = open({ streams: 2 });
    const [one, two] = [connect("one"), connect("two")];
    expect(streams.isFullFor(authenticated)).toBe(true);
    one.stream.end();
    expect(streams.isFullFor(authenticated)).toBe(false);
    two.client.response.onDisconnect?.();
    two.client.response.onDisconnect?.();
    one.client.response.onDisconnect?.();
    expect(closed).toEqual(["one", "two"]);
    two.stream.send("late");
    expect([one.client.closedBy, two.client.closedBy, two.client.written]).toEqual(["ended", "", ""]);
  });

  test("drop a client with too much buffered data, but not for one large message", () => {
    const { connect, entries, closed } = open({ streamBytes: 100 });
    const { client, stream } = connect("a");
    client.isSlow = true;
    stream.send("x".repeat(500));
    expect(client.closedBy).toBe("");
    stream.send("x");
    expect(client.closedBy).toBe("destroyed");
    expect(closed).toEqual(["a"]);
    expect(entries).toEqual([{ level: "warning", message: "an event stream was closed: the client reads too slowly" }]);
  });

  test("get keep-alive comments only while they are idle", () => {
    const { connect } = open({ keepAliveMs: 1000 });
    const { client, stream } = connect("a");
    vi.advanceTimersByTime(1000);
    stream.send("{}");
    vi.advanceTimersByTime(1000);
    vi.advanceTimersByTime(1000);
    expect(client.written).toBe(": keep-alive\n\nevent: message\ndata: {}\n\n: keep-alive\n\n");
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
