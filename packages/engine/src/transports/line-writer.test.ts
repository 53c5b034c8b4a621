import { PassThrough, Writable } from "node:stream";
import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { LineWriter } from "./line-writer.js";

/** A far end that keeps each write apart, and takes them only when told to. */
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

/** A far end that takes all at once. */
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

describe("a writer of lines", () => {
  test("joins what is written within one turn into one write", async () => {
    const { stream, writes } = quickEnd();
    const writer = new LineWriter(stream);
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
    const writer = new LineWriter(stream);
    const large = "x".repeat(100_000);
    for (const message of ["[1]", "[2]", large, "[3]", large, "[4]"]) writer.write(message);
    await turn();
    await turn();
    expect(writes.join("")).toBe(`[1]\n[2]\n${large}\n[3]\n${large}\n[4]\n`);
  });

  test("never cuts a message in two writes", async () => {
    const { stream, writes } = quickEnd();
    const writer = new LineWriter(stream);
    for (let size = 0; size < 9000; size += 451) writer.write("y".repeat(size));
    await turn();
    await turn();
    for (const text of writes) expect(text.endsWith("\n")).toBe(true);
    expect(writes.join("").split("\n")).toHaveLength(21);
  });

  test("is full while much more than a megabyte waits, and not when little does", async () => {
    const { stream, writes, take } = slowEnd();
    const writer = new LineWriter(stream);
    expect(writer.isFull).toBe(false);
    writer.write("x".repeat(500_000));
    expect(writer.isFull).toBe(false);
    writer.write("x".repeat(900_000));
    expect(writer.isFull).toBe(true);
    while (stream.writableLength > 0) {
      take();
      await turn();
    }
    expect(writer.isFull).toBe(false);
    expect(
      writes
        .join("")
        .split("\n")
        .map((line) => line.length),
    ).toEqual([500_000, 900_000, 0]);
  });

  test("is never full while no drain is to come, however much the stream takes", async () => {
    const { stream } = slowEnd();
    const patient = new Writable({ highWaterMark: 4_000_000, decodeStrings: false, write: stream.write.bind(stream) });
    const writer = new LineWriter(patient);
    writer.write("x".repeat(2_000_000));
    expect(writer.isFull).toBe(false);
    writer.write("x".repeat(2_000_000));
    expect(writer.isFull).toBe(true);
    patient.destroy();
    expect(writer.isFull).toBe(false);
  });

  test("lets many small messages leave before the turn is over, so that they count", () => {
    const { stream } = slowEnd();
    const writer = new LineWriter(stream);
    for (let at = 0; at < 1000; at += 1) writer.write("x".repeat(4000));
    expect(writer.isFull).toBe(true);
  });

  test("flush writes at once what waits, and resolves when the far end has taken it", async () => {
    const { stream, writes, take } = slowEnd();
    const writer = new LineWriter(stream);
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

  test("flush resolves for a stream that is gone", async () => {
    const destroyed = new PassThrough();
    destroyed.destroy();
    await new LineWriter(destroyed).flush();
    const ended = new PassThrough();
    ended.end();
    await new LineWriter(ended).flush();
    expect(destroyed.destroyed).toBe(true);
  });

  test("flush resolves when the far end breaks meanwhile", async () => {
    const stream = new Writable({ write: (_chunk, _encoding, done) => done(new Error("gone")) });
    const errors: string[] = [];
    stream.on("error", ({ message }) => void errors.push(message));
    const writer = new LineWriter(stream);
    writer.write("[1]");
    await writer.flush();
    expect(errors).toEqual(["gone"]);
  });

  test("uses the write that it is given in place of the stream's", async () => {
    const { stream, writes } = quickEnd();
    const write = stream.write.bind(stream);
    stream.write = () => {
      throw new Error("the stand-in was used");
    };
    const writer = new LineWriter(stream, write);
    writer.write("[1]");
    await writer.flush();
    expect(writes.join("")).toBe("[1]\n");
  });
});
