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

afterEach(() => void vi.restoreAllMocks());

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
