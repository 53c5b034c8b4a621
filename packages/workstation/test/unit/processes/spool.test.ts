import { mkdtemp, readdir, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { KeptText } from "../../../src/processes/process-output.js";
import { Spool } from "../../../src/processes/spool.js";

async function openSpool(): Promise<{ spool: Spool; folder: string }> {
  const folder = await mkdtemp(path.join(os.tmpdir(), "spool-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const spool = new Spool(folder, "p1", { segmentBytes: 10, head: 1, tail: 2 });
  onTestFinished(() => spool.remove());
  return { spool, folder };
}

describe("a spool", () => {
  it("is read across its files", async () => {
    const { spool } = await openSpool();
    await spool.write("0123456789abcdefghij");
    await spool.write("klmno");
    expect(await spool.read(0, 100)).toEqual({ offset: 0, text: "0123456789abcdefghijklmno", nextOffset: 25 });
    expect(await spool.read(8, 4)).toEqual({ offset: 8, text: "89ab", nextOffset: 12 });
    expect(await spool.read(-5, 100)).toEqual({ offset: 20, text: "klmno", nextOffset: 25 });
    expect(await spool.read(25, 100)).toEqual({ offset: 25, text: "", nextOffset: 25 });
    expect(await spool.read(99, 100)).toEqual({ offset: 25, text: "", nextOffset: 25 });
  });

  it("keeps the first and the last files", async () => {
    const { spool, folder } = await openSpool();
    for (const digit of "0123456789") await spool.write(digit.repeat(10));
    expect(spool.bytes).toBe(100);
    expect((await readdir(folder)).length).toBe(3);
    expect(await spool.read(0, 100)).toEqual({ offset: 0, text: "0000000000", nextOffset: 10 });
    expect(await spool.read(10, 100)).toEqual({ offset: 80, text: "88888888889999999999", nextOffset: 100 });
    expect(await spool.read(-1, 100)).toEqual({ offset: 99, text: "9", nextOffset: 100 });
  });

  it("never cuts a character in two", async () => {
    const { spool } = await openSpool();
    await spool.write("€€€€😀");
    expect(await spool.read(0, 7)).toEqual({ offset: 0, text: "€€", nextOffset: 6 });
    expect(await spool.read(7, 100)).toEqual({ offset: 9, text: "€😀", nextOffset: 16 });
    expect((await spool.read(12, 1)).nextOffset).toBeGreaterThan(12);
  });

  it("loses what comes when nothing can be written, and says why", async () => {
    const spool = new Spool("/no/such/folder", "p1");
    await spool.write("lost");
    await spool.write("lost");
    expect(spool.error).toContain("ENOENT");
    expect(await spool.read(0, 100)).toEqual({ offset: 0, text: "", nextOffset: 0 });
    await spool.remove();
  });
});

describe("kept text", () => {
  it("is whole while it is short", () => {
    const kept = new KeptText(30);
    for (const part of ["one ", "two ", "three"]) kept.add(part);
    expect([kept.toString(), kept.dropped]).toEqual(["one two three", 0]);
  });

  it("is the start and the end of what is long", () => {
    const kept = new KeptText(30);
    kept.add("start");
    for (let at = 0; at < 100; at += 1) kept.add("x".repeat(7));
    kept.add("end");
    expect(kept.toString()).toBe(`startxxxxx\n[… 678 characters …]\n${"x".repeat(17)}end`);
  });
});
