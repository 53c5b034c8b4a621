import { describe, expect, test } from "vitest";
import { EventReader, type Place, type StreamEvent } from "./sse-reader.js";

/** What a reader makes of a text that comes in these pieces. */
function read(pieces: Iterable<string>, most = 1000): { events: StreamEvent[]; place: Place } {
  const events: StreamEvent[] = [];
  const place: Place = { id: undefined, retryMs: 0 };
  const reader = new EventReader(most, place, (event) => events.push(event));
  for (const piece of pieces) reader.push(piece);
  return { events, place };
}

describe("EventReader", () => {
  const stream =
    '\uFEFF: hello\nevent: endpoint\ndata: /x?a=1\n\nid: 7\r\nretry: 250\r\ndata: {"a":\r\ndata:1}\r\n\r\ndata\rdata: b\r\r';
  const events = [
    { event: "endpoint", data: "/x?a=1" },
    { event: "message", data: '{"a":\n1}' },
    { event: "message", data: "\nb" },
  ];

  test("reads names, data of several lines, ids and waits, whatever ends the lines", () => {
    expect(read([stream])).toEqual({ events, place: { id: "7", retryMs: 250 } });
  });

  test("reads the same in pieces of one character", () => {
    expect(read(stream)).toEqual({ events, place: { id: "7", retryMs: 250 } });
  });

  test("tells of no event that has no end, and of none that says nothing", () => {
    expect(read(["id: 1\ndata:\n\n", "event: x\n\n", "data: open\n"])).toEqual({
      events: [],
      place: { id: "1", retryMs: 0 },
    });
  });

  test("stands behind an event only when it has come as a whole, or is too large to come", () => {
    expect(read(["id: 1\ndata: a\n\nid: 2\ndata: cut o"]).place.id).toBe("1");
    const place: Place = { id: undefined, retryMs: 0 };
    const reader = new EventReader(5, place, () => undefined);
    expect(() => reader.push("id: 3\ndata: too large")).toThrow("an event is larger than 5 bytes");
    expect(place.id).toBe("3");
  });

  test("takes back an id that is empty, and passes over ids and waits that are none", () => {
    expect(read(["id: 1\ndata: a\n\nid: \0\nretry: soon\ndata: b\n\n"]).place).toEqual({ id: "1", retryMs: 0 });
    expect(read(["id: 1\ndata: a\n\nid\ndata: b\n\n"]).place.id).toBeUndefined();
  });

  test.each([
    ["a line without an end", ["data: ", "x".repeat(2000)]],
    ["many lines", Array.from({ length: 50 }, () => `data: ${"x".repeat(50)}\n`)],
    ["a comment without an end", [":", "x".repeat(2000)]],
  ])("refuses %s before it fills the memory", (_name, pieces) => {
    expect(() => read(pieces)).toThrow("an event is larger than 1000 bytes");
  });
});
