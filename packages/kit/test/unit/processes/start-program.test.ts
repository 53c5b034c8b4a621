import { describe, expect, it } from "vitest";
import {
  type OutputStream,
  type ProgramStop,
  type StartOptions,
  startProgram,
} from "../../../src/processes/start-program.js";

interface Ran extends ProgramStop {
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program of Node to its end, and gives all that it wrote. */
async function run(
  code: string,
  more: Partial<StartOptions> = {},
  signal = new AbortController().signal,
): Promise<Ran> {
  const written: Record<OutputStream, string> = { stdout: "", stderr: "" };
  const { ended } = startProgram(signal, process.execPath, ["-e", code], {
    cwd: "/",
    env: {},
    timeoutMs: 60_000,
    take(piece, from) {
      written[from] += piece.toString();
    },
    ...more,
  });
  return { ...(await ended), ...written };
}

describe("startProgram", () => {
  it("gives both outputs and the exit code", async () => {
    const end = await run("console.log('out'); console.error('err'); process.exitCode = 3");
    expect(end).toMatchObject({ stdout: "out\n", stderr: "err\n", exitCode: 3, signal: null, hasTimedOut: false });
  });

  it("passes input on, also to a program that does not read it", async () => {
    expect(await run("process.stdin.pipe(process.stdout)", { input: "given" })).toMatchObject({ stdout: "given" });
    expect(await run("process.exit(0)", { input: "x".repeat(1_000_000) })).toMatchObject({ exitCode: 0 });
  });

  it("lets the program wait while its output is taken", async () => {
    let isTaking = false;
    let bytes = 0;
    const take: StartOptions["take"] = async (piece) => {
      expect(isTaking).toBe(false);
      isTaking = true;
      await new Promise((resolve) => setImmediate(resolve));
      bytes += piece.length;
      isTaking = false;
    };
    await run("process.stdout.write('x'.repeat(3_000_000))", { take });
    expect(bytes).toBe(3_000_000);
  });

  it("ends a program whose time is up, even if it leaves in an orderly way", async () => {
    const code = "process.on('SIGTERM', () => process.exit(0)); setInterval(() => {}, 1000)";
    expect(await run(code, { timeoutMs: 1000 })).toMatchObject({ hasTimedOut: true });
  });

  it("takes the longest time that there is for no time at all to wait", async () => {
    expect(await run("setTimeout(() => {}, 50)", { timeoutMs: 2 ** 40 })).toMatchObject({ hasTimedOut: false });
  });

  it("ends a program when the signal is aborted, and starts none after that", async () => {
    const cancel = new AbortController();
    const take = (): void => cancel.abort(new Error("cancelled by a test"));
    const end = await run("console.log('up'); setInterval(() => {}, 1000)", { take }, cancel.signal);
    expect(end).toMatchObject({ signal: "SIGTERM", hasTimedOut: false });
    await expect(run("0", {}, cancel.signal)).rejects.toThrow("cancelled by a test");
  });

  it("says what cannot be started, and why", async () => {
    const signal = new AbortController().signal;
    const options = { cwd: "/", env: {}, timeoutMs: 1000, take: () => undefined };
    const { pid, ended } = startProgram(signal, "/no/such/program", [], options);
    expect(pid).toBe(undefined);
    await expect(ended).rejects.toMatchObject({
      code: "UNAVAILABLE",
      message: "Cannot run /no/such/program: it is not installed, or not on the PATH of this server.",
    });
    expect(() => startProgram(signal, process.execPath, ["a\0b"], options)).toThrow("without null bytes");
  });
});
