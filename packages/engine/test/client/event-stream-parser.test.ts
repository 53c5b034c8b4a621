import { describe, expect, test } from "vitest";
import { EventStreamParser, type ServerSentEvent, type StreamPosition } from "../../src/client/event-stream.js";

/** Parses a text that arrives in these chunks. */
function parse(chunks: Iterable<string>, maxBytes = 1000): { events: ServerSentEvent[]; position: StreamPosition } {
  const events: ServerSentEvent[] = [];
  const position: StreamPosition = { lastEventId: undefined, retryMs: 0 };
  const parser = new EventStreamParser(maxBytes, position, (event) => events.push(event));
  for (const chunk of chunks) parser.push(chunk);
  return { events, position };
}

describe("EventStreamParser", () => {
  const stream =
    '\uFEFF: hello\nevent: endpoint\ndata: /x?a=1\n\nid: 7\r\nretry: 250\r\ndata: {"a":\r\ndata:1}\r\n\r\ndata\rdata: b\r\r';
  const events = [
    { event: "endpoint", data: "/x?a=1" },
    { event: "message", data: '{"a":\n1}' },
    { event: "message", data: "\nb" },
  ];

  test("parses event types, multi-line data, ids and retry delays with any line ending", () => {
    expect(parse([stream])).toEqual({ events, position: { lastEventId: "7", retryMs: 250 } });
  });

  test("parses the same from chunks of one character", () => {
    expect(parse(stream)).toEqual({ events, position: { lastEventId: "7", retryMs: 250 } });
  });

  test("ignores an event without its end, and one without data", () => {
    expect(parse(["id: 1\ndata:\n\n", "event: x\n\n", "data: open\n"])).toEqual({
      events: [],
      position: { lastEventId: "1", retryMs: 0 },
    });
  });

  test("advances the position after a complete event, and after one that is too large", () => {
    expect(parse(["id: 1\ndata: a\n\nid: 2\ndata: cut o"]).position.lastEventId).toBe("1");
    const position: StreamPosition = { lastEventId: undefined, retryMs: 0 };
    const parser = new EventStreamParser(5, position, () => undefined);
    expect(() => parser.push("id: 3\ndata: too large")).toThrow("an event is larger than 5 bytes");
    expect(position.lastEventId).toBe("3");
  });

  test("resets the position on an empty id, and ignores invalid ids and retry delays", () => {
    expect(parse(["id: 1\ndata: a\n\nid: \0\nretry: soon\ndata: b\n\n"]).position).toEqual({
      lastEventId: "1",
      retryMs: 0,
    });
    expect(parse(["id: 1\ndata: a\n\nid\ndata: b\n\n"]).position.lastEventId).toBeUndefined();
  });

  test.each([
    ["an endless line", ["data: ", "x".repeat(2000)]],
    ["many lines", Array.from({ length: 50 }, () => `data: ${"x".repeat(50)}\n`)],
    ["an endless comment", [":", "x".repeat(2000)]],
  ])("rejects %s over the limit", (_name, chunks) => {
    expect(() => parse(chunks)).toThrow("an event is larger than 1000 bytes");
  });
});
