import { PassThrough, Writable } from "node:stream";
import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { LineWriter } from "../../src/transports/line-framing.js";

const MIB = 1024 * 1024;

/** A stream that records each write, and completes them on demand. */
function slowEnd(): { stream: Writable; writes: string[]; take: () => void } {
  const writes: string[] = [];
  const waiting: (() => void)[] = [];
  const stream = new Writable({
    decodeStrings: false,
    write(chunk: string, _encoding, done) {
      writes.push(chunk);
      waiting.push(done);
    },
  });
  return { stream, writes, take: () => waiting.shift()?.() };
}

/** A stream that completes each write at once. */
function quickEnd(): { stream: Writable; writes: string[] } {
  const writes: string[] = [];
  const stream = new Writable({
    decodeStrings: false,
    write(chunk: string, _encoding, done) {
      writes.push(chunk);
      done();
    },
  });
  return { stream, writes };
}

describe("LineWriter", () => {
  test("joins the messages of one turn into one write", async () => {
    const { stream, writes } = quickEnd();
    const writer = new LineWriter(stream, MIB);
    writer.write("[1]");
    await Promise.resolve();
    writer.write("[2]");
    writer.write('["é"]');
    expect(writes).toEqual([]);
    await turn();
    expect(writes).toEqual(['[1]\n[2]\n["é"]\n']);
    writer.write("[3]");
    await turn();
    expect(writes).toEqual(['[1]\n[2]\n["é"]\n', "[3]\n"]);
  });

  test("keeps small and large messages in order", async () => {
    const { stream, writes } = quickEnd();
    const writer = new LineWriter(stream, MIB);
    const large = "x".repeat(100_000);
    for (const message of ["[1]", "[2]", large, "[3]", large, "[4]"]) writer.write(message);
    await turn();
    await turn();
    expect(writes.join("")).toBe(`[1]\n[2]\n${large}\n[3]\n${large}\n[4]\n`);
  });

  test("never splits a message into two writes", async () => {
    const { stream, writes } = quickEnd();
    const writer = new LineWriter(stream, MIB);
    for (let size = 0; size < 9000; size += 451) writer.write("y".repeat(size));
    await turn();
    await turn();
    for (const text of writes) expect(text.endsWith("\n")).toBe(true);
    expect(writes.join("").split("\n")).toHaveLength(21);
  });

  test("has backpressure while more than a megabyte is buffered", async () => {
    const { stream, writes, take } = slowEnd();
    const writer = new LineWriter(stream, MIB);
    expect(writer.isBackpressured).toBe(false);
    writer.write("x".repeat(500_000));
    expect(writer.isBackpressured).toBe(false);
    writer.write("x".repeat(900_000));
    expect(writer.isBackpressured).toBe(true);
    while (stream.writableLength > 0) {
      take();
      await turn();
    }
    expect(writer.isBackpressured).toBe(false);
    expect(
      writes
        .join("")
        .split("\n")
        .map((line) => line.length),
    ).toEqual([500_000, 900_000, 0]);
  });

  test("has backpressure while more than outputBytes are buffered", () => {
    const { stream } = slowEnd();
    const [small, large] = [new LineWriter(stream, 50_000), new LineWriter(stream, 200_000)];
    small.write("x".repeat(100_000));
    expect([small.isBackpressured, large.isBackpressured]).toEqual([true, false]);
  });

  test("has no backpressure while no drain event will come", async () => {
    const { stream } = slowEnd();
    const patient = new Writable({ highWaterMark: 4_000_000, decodeStrings: false, write: stream.write.bind(stream) });
    const writer = new LineWriter(patient, MIB);
    writer.write("x".repeat(2_000_000));
    expect(writer.isBackpressured).toBe(false);
    writer.write("x".repeat(2_000_000));
    expect(writer.isBackpressured).toBe(true);
    patient.destroy();
    expect(writer.isBackpressured).toBe(false);
  });

  test("writes many small messages before the turn is over, so that they count", () => {
    const { stream } = slowEnd();
    const writer = new LineWriter(stream, MIB);
    for (let at = 0; at < 1000; at += 1) writer.write("x".repeat(4000));
    expect(writer.isBackpressured).toBe(true);
  });

  test("flush writes the buffer at once, and resolves when it is written", async () => {
    const { stream, writes, take } = slowEnd();
    const writer = new LineWriter(stream, MIB);
    writer.write("[1]");
    let isFlushed = false;
    const flushed = writer.flush().then(() => {
      isFlushed = true;
    });
    expect(writes).toEqual(["[1]\n"]);
    await turn();
    expect(isFlushed).toBe(false);
    take();
    await flushed;
  });

  test("flush resolves for a destroyed stream", async () => {
    const destroyed = new PassThrough();
    destroyed.destroy();
    await new LineWriter(destroyed, MIB).flush();
    const ended = new PassThrough();
    ended.end();
    await new LineWriter(ended, MIB).flush();
    expect(destroyed.destroyed).toBe(true);
  });

  test("flush resolves when the stream fails meanwhile", async () => {
    const stream = new Writable({ write: (_chunk, _encoding, done) => done(new Error("gone")) });
    const errors: string[] = [];
    stream.on("error", ({ message }) => void errors.push(message));
    const writer = new LineWriter(stream, MIB);
    writer.write("[1]");
    await writer.flush();
    expect(errors).toEqual(["gone"]);
  });

  test("uses the given write function", async () => {
    const { stream, writes } = quickEnd();
    const write = stream.write.bind(stream);
    stream.write = () => {
      throw new Error("the stand-in was used");
    };
    const writer = new LineWriter(stream, MIB, write);
    writer.write("[1]");
    await writer.flush();
    expect(writes.join("")).toBe("[1]\n");
  });
});
