import { beforeEach, describe, expect, test } from "vitest";
import { createFrameRecorder, type Frame, FrameRecorder } from "../../../src/server/logging/frame-recorder.js";

const ada = { recordingId: 0 };
const bob = { recordingId: 0 };
beforeEach(() => {
  for (const session of [ada, bob]) session.recordingId = 0;
});
const textsOf = (recorder: FrameRecorder) => recorder.frames().map(({ text }) => text);

describe("the ring buffer", () => {
  test("keeps messages in order, with sender and session", () => {
    const recorder = new FrameRecorder();
    recorder.record("client", ada, "a1");
    recorder.record("client", bob, "b1");
    recorder.record("server", ada, "a2");
    recorder.record("server", bob, "b2");
    expect(recorder.frames().map(({ session, from, text, originalLength: cut }) => [session, from, text, cut])).toEqual(
      [
        [1, "client", "a1", undefined],
        [2, "client", "b1", undefined],
        [1, "server", "a2", undefined],
        [2, "server", "b2", undefined],
      ],
    );
  });

  test("keeps monotonic timestamps", () => {
    const recorder = new FrameRecorder();
    for (const text of ["a", "b", "c"]) recorder.record("server", ada, text);
    const [first, second, third] = recorder.frames().map(({ timestamp: at }) => at) as [number, number, number];
    expect(first).toBeGreaterThan(Date.parse("2020-01-01"));
    expect([first, second, third].toSorted((a, b) => a - b)).toEqual([first, second, third]);
  });

  test("evicts the oldest message when there are too many", () => {
    const recorder = new FrameRecorder({ frames: 3 });
    for (const text of ["a", "b", "c", "d", "e"]) recorder.record("server", ada, text);
    expect(textsOf(recorder)).toEqual(["c", "d", "e"]);
  });

  test("evicts the oldest message when there are too many characters", () => {
    const recorder = new FrameRecorder({ frames: 100, characters: 160 });
    for (let at = 0; at < 40; at += 1) recorder.record("server", ada, `${at}`.padEnd(10, "."));
    expect(textsOf(recorder)).toHaveLength(16);
    expect(textsOf(recorder)[0]).toBe("24........");
    expect(textsOf(recorder).at(-1)).toBe("39........");
  });

  test("works with a limit of one message", () => {
    const recorder = new FrameRecorder({ frames: 1 });
    for (const text of ["a", "b"]) recorder.record("server", ada, text);
    expect(textsOf(recorder)).toEqual(["b"]);
  });

  test("truncates a message longer than 1/16 of the limit, and keeps its length", () => {
    const recorder = new FrameRecorder({ characters: 64_000 });
    recorder.record("client", ada, "y".repeat(4000));
    recorder.record("client", ada, "x".repeat(4001));
    expect(recorder.frames().map(({ text, originalLength: cut }) => [text.length, cut])).toEqual([
      [4000, undefined],
      [1024, 4001],
    ]);
  });

  test("truncates to less than the default head if the limit is small", () => {
    const recorder = new FrameRecorder({ characters: 160 });
    recorder.record("client", ada, "x".repeat(500));
    expect(recorder.frames().map(({ text, originalLength: cut }) => [text, cut])).toEqual([["xxxxxxxxxx", 500]]);
  });
});

describe("a listener", () => {
  test("receives complete messages until it unsubscribes", () => {
    const recorder = new FrameRecorder({ characters: 160 });
    const received: Frame[] = [];
    recorder.record("server", ada, "before");
    const stop = recorder.subscribe((frame) => received.push(frame));
    recorder.record("server", ada, "x".repeat(100));
    stop();
    recorder.record("server", ada, "after");
    expect(received.map(({ text, originalLength: cut }) => [text.length, cut])).toEqual([[100, undefined]]);
  });

  test("that throws is unsubscribed; the message is kept and passed to the others", () => {
    const recorder = new FrameRecorder();
    const received: string[] = [];
    recorder.subscribe(({ text }) => {
      received.push(`first ${text}`);
      throw new Error("full");
    });
    recorder.subscribe(({ text }) => received.push(text));
    recorder.record("server", ada, "one");
    recorder.record("server", ada, "two");
    expect(received).toEqual(["first one", "one", "two"]);
    expect(recorder.frames().map(({ text }) => text)).toEqual(["one", "two"]);
  });

  test("is awaited when the recorder closes, and receives nothing more", async () => {
    const recorder = new FrameRecorder();
    const received: string[] = [];
    recorder.subscribe(
      ({ text }) => received.push(text),
      async () => {
        await Promise.resolve();
        received.push("closed");
      },
    );
    recorder.record("server", ada, "last");
    await recorder.close();
    recorder.record("server", ada, "too late");
    expect(received).toEqual(["last", "closed"]);
  });
});

describe("the options", () => {
  test("create a recorder unless it is disabled", () => {
    expect(createFrameRecorder()).toBeInstanceOf(FrameRecorder);
    expect(createFrameRecorder(true)).toBeInstanceOf(FrameRecorder);
    expect(createFrameRecorder(false)).toBeUndefined();
  });

  test.each([
    [{ frames: 0 }, "Cannot create the server: recorder.frames must be a positive whole number"],
    [{ characters: 1.5 }, "Cannot create the server: recorder.characters must be a positive whole number"],
  ])("%o are rejected by name", (options, message) => {
    expect(() => createFrameRecorder(options)).toThrow(new TypeError(message));
  });

  test("with an unknown name are rejected", () => {
    expect(() => createFrameRecorder({ frame: 1 } as never)).toThrow(TypeError);
  });
});
