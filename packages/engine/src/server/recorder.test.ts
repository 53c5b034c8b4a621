import { beforeEach, describe, expect, test } from "vitest";
import { createRecorder, type Frame, Recorder } from "./recorder.js";

const ada = { recordedAs: 0 };
const bob = { recordedAs: 0 };
beforeEach(() => {
  for (const session of [ada, bob]) session.recordedAs = 0;
});
const textsOf = (recorder: Recorder) => recorder.frames().map(({ text }) => text);

describe("the ring", () => {
  test("keeps what crossed the wire in its order, with who said it and in which conversation", () => {
    const recorder = new Recorder();
    recorder.received(ada, "a1");
    recorder.received(bob, "b1");
    recorder.sent(ada, "a2");
    recorder.sent(bob, "b2");
    expect(recorder.frames().map(({ session, from, text, cut }) => [session, from, text, cut])).toEqual([
      [1, "client", "a1", undefined],
      [2, "client", "b1", undefined],
      [1, "server", "a2", undefined],
      [2, "server", "b2", undefined],
    ]);
  });

  test("says when each message came, and never goes back in time", () => {
    const recorder = new Recorder();
    for (const text of ["a", "b", "c"]) recorder.sent(ada, text);
    const [first, second, third] = recorder.frames().map(({ at }) => at) as [number, number, number];
    expect(first).toBeGreaterThan(Date.parse("2020-01-01"));
    expect([first, second, third].toSorted((one, other) => one - other)).toEqual([first, second, third]);
  });

  test("forgets the oldest when there are more than it may keep", () => {
    const recorder = new Recorder({ frames: 3 });
    for (const text of ["a", "b", "c", "d", "e"]) recorder.sent(ada, text);
    expect(textsOf(recorder)).toEqual(["c", "d", "e"]);
  });

  test("forgets the oldest when they are longer than it may keep, however few they are", () => {
    const recorder = new Recorder({ frames: 100, characters: 160 });
    for (let at = 0; at < 40; at += 1) recorder.sent(ada, `${at}`.padEnd(10, "."));
    expect(textsOf(recorder)).toHaveLength(16);
    expect(textsOf(recorder)[0]).toBe("24........");
    expect(textsOf(recorder).at(-1)).toBe("39........");
  });

  test("keeps one message where there is room for one", () => {
    const recorder = new Recorder({ frames: 1 });
    for (const text of ["a", "b"]) recorder.sent(ada, text);
    expect(textsOf(recorder)).toEqual(["b"]);
  });

  test("keeps the head of a message that is longer than a sixteenth, and how long it was", () => {
    const recorder = new Recorder({ characters: 64_000 });
    recorder.received(ada, "y".repeat(4000));
    recorder.received(ada, "x".repeat(4001));
    expect(recorder.frames().map(({ text, cut }) => [text.length, cut])).toEqual([
      [4000, undefined],
      [1024, 4001],
    ]);
  });

  test("cuts to less than the usual head where little may be kept", () => {
    const recorder = new Recorder({ characters: 160 });
    recorder.received(ada, "x".repeat(500));
    expect(recorder.frames().map(({ text, cut }) => [text, cut])).toEqual([["xxxxxxxxxx", 500]]);
  });
});

describe("who listens", () => {
  test("hears each message whole, from then on until it has enough", () => {
    const recorder = new Recorder({ characters: 160 });
    const heard: Frame[] = [];
    recorder.sent(ada, "before");
    const stop = recorder.listen((frame) => heard.push(frame));
    recorder.sent(ada, "x".repeat(100));
    stop();
    recorder.sent(ada, "after");
    expect(heard.map(({ text, cut }) => [text.length, cut])).toEqual([[100, undefined]]);
  });

  test("and fails hears no more; the message is kept, and told to the others", () => {
    const recorder = new Recorder();
    const told: string[] = [];
    recorder.listen(({ text }) => {
      told.push(`first ${text}`);
      throw new Error("full");
    });
    recorder.listen(({ text }) => told.push(text));
    recorder.sent(ada, "one");
    recorder.sent(ada, "two");
    expect(told).toEqual(["first one", "one", "two"]);
    expect(recorder.frames().map(({ text }) => text)).toEqual(["one", "two"]);
  });

  test("is waited for when the server ends, and hears nothing more", async () => {
    const recorder = new Recorder();
    const told: string[] = [];
    recorder.listen(
      ({ text }) => told.push(text),
      async () => {
        await Promise.resolve();
        told.push("closed");
      },
    );
    recorder.sent(ada, "last");
    await recorder.close();
    recorder.sent(ada, "too late");
    expect(told).toEqual(["last", "closed"]);
  });
});

describe("the options", () => {
  test("make a recorder unless they say no", () => {
    expect(createRecorder()).toBeInstanceOf(Recorder);
    expect(createRecorder(true)).toBeInstanceOf(Recorder);
    expect(createRecorder(false)).toBeUndefined();
  });

  test.each([
    [{ frames: 0 }, "Cannot create the server: recorder.frames must be a positive whole number"],
    [{ characters: 1.5 }, "Cannot create the server: recorder.characters must be a positive whole number"],
  ])("%o are refused by name", (options, message) => {
    expect(() => createRecorder(options)).toThrow(new TypeError(message));
  });

  test("with an unknown name are refused", () => {
    expect(() => createRecorder({ frame: 1 } as never)).toThrow(TypeError);
  });
});
