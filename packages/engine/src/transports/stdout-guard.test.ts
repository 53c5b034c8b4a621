import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { guardStdout } from "./stdout-guard.js";

/** What the two real streams got. */
const heard = { stdout: [] as string[], stderr: [] as string[] };

beforeEach(() => {
  for (const name of ["stdout", "stderr"] as const) {
    heard[name] = [];
    vi.spyOn(process[name], "write").mockImplementation((chunk) => {
      heard[name].push(typeof chunk === "string" ? chunk : Buffer.from(chunk).toString());
      return true;
    });
  }
});

const end = process.stdout.end.bind(process.stdout);

afterEach(() => {
  process.stdout.end = end;
  vi.restoreAllMocks();
});

describe("the guard of stdout", () => {
  test("turns what others write into marked lines on stderr [STD-02]", () => {
    guardStdout();
    process.stdout.write("no newline");
    process.stdout.write("a line\n");
    process.stdout.write(Buffer.from("bytes"));
    process.stdout.write(Uint8Array.from([111, 107]));
    expect(heard.stdout).toEqual([]);
    expect(heard.stderr).toEqual(["[STDOUT] no newline\n", "[STDOUT] a line\n", "[STDOUT] bytes\n", "[STDOUT] ok\n"]);
  });

  test("takes the last words of whoever ends stdout, and leaves it open", async () => {
    guardStdout();
    const done = vi.fn();
    expect(process.stdout.end("bye\n", done)).toBe(process.stdout);
    expect(process.stdout.end()).toBe(process.stdout);
    await new Promise((resolve) => process.nextTick(resolve));
    expect(heard).toEqual({ stdout: [], stderr: ["[STDOUT] bye\n"] });
    expect(done).toHaveBeenCalledTimes(1);
    expect(process.stdout.writableEnded).toBe(false);
  });

  test("gives the protocol the real write", () => {
    const write = guardStdout();
    write("{}\n");
    expect(heard.stdout).toEqual(["{}\n"]);
    expect(heard.stderr).toEqual([]);
  });

  test("calls back whoever waits for the write, wherever the callback stands, and says that there is room", async () => {
    guardStdout();
    const done = vi.fn();
    expect(process.stdout.write("a", done)).toBe(true);
    expect(process.stdout.write("b", "utf8", done)).toBe(true);
    expect(done).not.toHaveBeenCalled();
    await new Promise((resolve) => process.nextTick(resolve));
    expect(done).toHaveBeenCalledTimes(2);
  });
});
