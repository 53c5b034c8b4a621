import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { guardStdout } from "../../../src/transports/stdio/stdio-guard.js";

/** What was written to the two original streams. */
const received = { stdout: [] as string[], stderr: [] as string[] };

beforeEach(() => {
  for (const name of ["stdout", "stderr"] as const) {
    received[name] = [];
    vi.spyOn(process[name], "write").mockImplementation((chunk) => {
      received[name].push(typeof chunk === "string" ? chunk : Buffer.from(chunk).toString());
      return true;
    });
  }
});

const end = process.stdout.end.bind(process.stdout);

afterEach(() => {
  process.stdout.end = end;
  vi.restoreAllMocks();
});

describe("guardStdout", () => {
  test("redirects what others write to marked lines on stderr [STD-02]", () => {
    guardStdout();
    process.stdout.write("no newline");
    process.stdout.write("a line\n");
    process.stdout.write(Buffer.from("bytes"));
    process.stdout.write(Uint8Array.from([111, 107]));
    expect(received.stdout).toEqual([]);
    expect(received.stderr).toEqual([
      "[STDOUT] no newline\n",
      "[STDOUT] a line\n",
      "[STDOUT] bytes\n",
      "[STDOUT] ok\n",
    ]);
  });

  test("redirects the last chunk of end(), and leaves stdout open", async () => {
    guardStdout();
    const done = vi.fn();
    expect(process.stdout.end("bye\n", done)).toBe(process.stdout);
    expect(process.stdout.end()).toBe(process.stdout);
    await new Promise((resolve) => process.nextTick(resolve));
    expect(received).toEqual({ stdout: [], stderr: ["[STDOUT] bye\n"] });
    expect(done).toHaveBeenCalledTimes(1);
    expect(process.stdout.writableEnded).toBe(false);
  });

  test("returns the original write", () => {
    const write = guardStdout();
    write("{}\n");
    expect(received.stdout).toEqual(["{}\n"]);
    expect(received.stderr).toEqual([]);
  });

  test("calls the callback, whichever argument it is, and returns true", async () => {
    guardStdout();
    const done = vi.fn();
    expect(process.stdout.write("a", done)).toBe(true);
    expect(process.stdout.write("b", "utf8", done)).toBe(true);
    expect(done).not.toHaveBeenCalled();
    await new Promise((resolve) => process.nextTick(resolve));
    expect(done).toHaveBeenCalledTimes(2);
  });
});
