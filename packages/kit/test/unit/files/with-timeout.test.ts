import { execFileSync } from "node:child_process";
import { closeSync, constants, mkdtempSync, openSync, rmSync } from "node:fs";
import { open, realpath } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { TimeoutExceeded, withTimeout } from "../../../src/files/with-timeout.js";

/** A program of the system. */
const pipeMaker = "mkfifo";

const AGES = 60_000;

/** A named pipe that nobody writes to: whoever opens it for reading holds a thread until it is let go. */
function makeHangingPlace() {
  const folder = mkdtempSync(path.join(os.tmpdir(), "deadline-"));
  const pipe = path.join(folder, "pipe");
  execFileSync(pipeMaker, [pipe]);
  let opened = 0;
  let closed = 0;
  const hang = async () => {
    opened += 1;
    return open(pipe, "r");
  };
  const leave = async (late: Awaited<ReturnType<typeof open>>) => {
    await late.close();
    closed += 1;
  };
  const letGo = async () => {
    await vi.waitFor(
      () => {
        if (closed === opened) return;
        closeSync(openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK));
        expect(closed).toBe(opened);
      },
      { timeout: AGES, interval: 1 },
    );
  };
  onTestFinished(async () => {
    await letGo();
    rmSync(folder, { recursive: true });
  });
  return { hang, leave, letGo, opened: () => opened };
}

const reasonOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => "it came",
    (error: unknown) => (error instanceof TimeoutExceeded ? error.afterMs : error),
  );

describe.skipIf(process.platform === "win32")("a place that really hangs", () => {
  test("does not stop the others, is not asked again while it hangs, and is asked again when it does not", async () => {
    const { hang, leave, letGo, opened } = makeHangingPlace();
    const cloud = { timeoutMs: 20, part: "cloud" };
    expect(await reasonOf(withTimeout(cloud, "open", hang, leave))).toBe(20);
    expect(await reasonOf(withTimeout(cloud, "open", hang, leave))).toBe(0);
    expect(opened()).toBe(1);
    const elsewhere = { timeoutMs: AGES, part: "local" };
    expect(await withTimeout(elsewhere, "look", () => realpath("/"))).toBe("/");
    await letGo();
    expect(await withTimeout({ ...cloud, timeoutMs: AGES }, "look", () => realpath("/"))).toBe("/");
  });

  test("holds two threads at most, however many ask for it at once", async () => {
    const { hang, leave, opened } = makeHangingPlace();
    const all = Array.from({ length: 10 }, () =>
      reasonOf(withTimeout({ timeoutMs: 20, part: "cloud" }, "open", hang, leave)),
    );
    const others = Array.from({ length: 10 }, () =>
      withTimeout({ timeoutMs: AGES, part: "local" }, "look", () => realpath("/")),
    );
    expect(new Set(await Promise.all(others))).toEqual(new Set(["/"]));
    expect(await Promise.all(all)).not.toContain("it came");
    expect(opened()).toBe(2);
  });

  test("leaves the last thread alone where several such places are asked", async () => {
    const { hang, leave, letGo } = makeHangingPlace();
    for (const part of ["one", "two", "three"])
      expect(await reasonOf(withTimeout({ timeoutMs: 20, part }, "open", hang, leave))).toBe(20);
    expect(await reasonOf(withTimeout({ timeoutMs: AGES, part: "four" }, "look", () => realpath("/")))).toBe(0);
    await letGo();
    expect(await withTimeout({ timeoutMs: AGES, part: "four" }, "look", () => realpath("/"))).toBe("/");
  });

  test("is left at once by a call that is given up, and still counted when it goes on hanging", async () => {
    const { hang, leave } = makeHangingPlace();
    const call = new AbortController();
    const work = reasonOf(withTimeout({ timeoutMs: 50, signal: call.signal, part: "cloud" }, "open", hang, leave));
    call.abort("enough");
    expect(await work).toBe("enough");
    await vi.waitFor(
      async () => {
        const look = withTimeout({ timeoutMs: AGES, part: "cloud" }, "look", () => realpath("/"));
        expect(await reasonOf(look)).toBe(0);
      },
      { timeout: AGES },
    );
  });
});

describe("what is waited for", () => {
  test("begins when one of the two before it has ended, in the order of asking", async () => {
    const reported: string[] = [];
    const ends = new Map<string, () => void>();
    const ask = (name: string) =>
      withTimeout({ timeoutMs: AGES, part: "queue" }, name, () => {
        reported.push(name);
        return new Promise<void>((resolve) => ends.set(name, resolve));
      });
    const all = ["a", "b", "c", "d"].map(ask);
    expect(reported).toEqual(["a", "b"]);
    ends.get("b")?.();
    await all[1];
    expect(reported).toEqual(["a", "b", "c"]);
    for (const name of ["a", "c"]) ends.get(name)?.();
    await all[2];
    ends.get("d")?.();
    await Promise.all(all);
    expect(reported).toEqual(["a", "b", "c", "d"]);
  });

  test("may fail, at once or later, and what was asked after it goes on", async () => {
    const fails = [
      () => {
        throw new Error("at once");
      },
      () => Promise.reject(new Error("later")),
    ];
    for (const fail of fails)
      await expect(withTimeout({ timeoutMs: AGES, part: "faults" }, "fail", fail)).rejects.toThrow(/at once|later/);
    expect(await withTimeout({ timeoutMs: AGES, part: "faults" }, "go on", async () => 7)).toBe(7);
  });

  test("is not begun for a call that was given up already, nor for one that was while it stood in line", async () => {
    const call = new AbortController();
    const ends: (() => void)[] = [];
    let begun = 0;
    const ask = (signal?: AbortSignal) =>
      withTimeout({ timeoutMs: AGES, signal, part: "line" }, "stand in line", () => {
        begun += 1;
        return new Promise<void>((resolve) => ends.push(resolve));
      });
    const two = [ask(), ask()];
    const third = reasonOf(ask(call.signal));
    call.abort("enough");
    expect(await third).toBe("enough");
    expect(await reasonOf(ask(call.signal))).toBe("enough");
    for (const end of ends) end();
    await Promise.all(two);
    expect(begun).toBe(2);
  });
});
