import { describe, expect, test } from "vitest";
import { call, type Message, ping, textOf } from "../stdio/child.js";
import { cleanExit, isThere, openStdio, until, WAYS } from "./fault-server.js";

const QUICK = { LIMITS: '{"drainMs":200}' };

/** An error without the elapsed time. */
const untimed = ({ error }: Message): Message => {
  const { code, message } = error as { code: number; message: string };
  return { code, message: message.replace(/\d+\.\d s/, "… s") };
};

describe("a process on stdio that receives SIGTERM", () => {
  test("while a tool blocks the event loop answers every received request, and exits normally", async () => {
    const { child } = await openStdio();
    child.send(call(1, "block"), call(2, "echo", { text: "behind" }), ping(3));
    await child.until(() => child.stderr.includes("blocking\n"), "the call");
    child.process.kill("SIGTERM");
    expect(await child.ended).toEqual(cleanExit);
    expect(child.messages.map(({ id }) => id)).toEqual([0, 1, 2, 3]);
    expect(textOf(await child.answer(2))).toBe("behind");
  });

  test("aborts calls that do not stop, and tells the client and the log", async () => {
    const { child } = await openStdio(QUICK);
    child.send(call(1, "hang"), call(2, "told_when_stopped", { text: "two" }));
    await child.until(() => child.stderr.includes("running: two\n"), "the calls");
    child.process.kill("SIGTERM");
    expect(await child.ended).toEqual(cleanExit);
    for (const id of [1, 2])
      expect(untimed(await child.answer(id))).toEqual({
        code: -32603,
        message: "The server is shutting down: this request was aborted after … s, and may have had side effects.",
      });
    expect(child.stderr).toContain("stopped: two\n");
    expect(child.stderr).toMatch(
      /\[WARNING\] \[req_id=1\] aborted tools\/call "hang" after \d+\.\d s: the server is stopping\n/,
    );
  });

  test("exits although tools throw in their abort listeners and elsewhere", async () => {
    const { child } = await openStdio({ LIMITS: '{"drainMs":50}' });
    child.send(call(1, "angry_stop"), call(2, "throw_after_answer"), call(3, "reject_untouchable"));
    await child.until(() => child.stderr.includes("listening\n"), "the call");
    child.process.kill("SIGTERM");
    expect(await child.ended).toEqual(cleanExit);
    expect(child.messages.map(({ id }) => String(id)).toSorted()).toEqual(["0", "1", "2", "3"]);
  });

  test("exits with the code of a tool that calls process.exit meanwhile", async () => {
    const { child } = await openStdio();
    child.send(call(1, "hang"));
    await child.until(() => child.stderr.includes("hanging\n"), "the call");
    child.send(call(2, "exit_soon"));
    await child.until(() => child.stderr.includes("exiting soon\n"), "the call");
    child.process.kill("SIGTERM");
    expect(await child.ended).toEqual({ code: 3, signal: null });
    for (const id of [1, 2]) expect(await child.answer(id)).toMatchObject({ error: { code: -32603 } });
  });

  test("exits when its client disconnects meanwhile", async () => {
    const { child } = await openStdio();
    child.send(call(1, "told_when_stopped", { text: "one" }));
    await child.until(() => child.stderr.includes("running: one\n"), "the call");
    child.process.kill("SIGTERM");
    await child.until(() => child.stderr.includes("stopping: "), "its word");
    child.process.stdout.destroy();
    child.send(call(2, "echo", { text: "unheard" }));
    await until(() => !isThere(child.process.pid as number));
    expect(child.stderr).toContain("stopped: one\n");
  });
});

/** Tools that fail in different ways, within the test timeout. */
const FAILING = [
  "throw_error",
  "reject_error",
  "throw_trapped",
  "reject_revoked",
  "throwing_then",
  "words_message_trap",
  "return_circle",
  "hang_briefly",
  "deaf",
  "angry_stop",
  "exhaust_worker",
  "overflow",
];

describe.each(WAYS)("over %s, the only concurrency slot", (_way, open) => {
  test("is free again however a tool fails", async () => {
    const faulty = await open({ LIMITS: '{"callsInFlight":1,"callsQueued":1}' });
    for (const name of FAILING) {
      const [, echoed] = await Promise.all([faulty.call(name), faulty.call("echo", { text: name })]);
      expect(textOf(echoed)).toBe(name);
    }
    expect(textOf(await faulty.call("open_gate"))).toBe("open");
    expect(await faulty.leave()).toEqual(cleanExit);
  });
});
