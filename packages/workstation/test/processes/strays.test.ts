import { spawnSync } from "node:child_process";
import { describe, expect, test, vi } from "vitest";
import { openWorkstation } from "../kit.js";
import { isAlive } from "./alive.js";

const hasSetsid = spawnSync("setsid", ["true"]).status === 0;

/** Programs that start a process which leaves them, print its id, and end or wait. */
const WAYS: Readonly<Record<string, string>> = {
  "in a session of its own": "setsid sh -c 'echo $$; exec sleep 600' &",
  "in a session of its own, ignoring SIGTERM": `setsid sh -c 'trap "" TERM; echo $$; while :; do sleep 1; done' &`,
  "after two forks": "(setsid sh -c '(sh -c \"echo \\$\\$; exec sleep 600\" &) &' &);",
  "with closed output": "setsid sh -c 'echo $$; exec sleep 600 >/dev/null 2>&1 </dev/null' &",
  "with an empty environment": "env -i /usr/bin/setsid /bin/sh -c 'echo $$; exec sleep 600' &",
};

describe.skipIf(process.platform !== "linux" || !hasSetsid)("what a program leaves behind", () => {
  test.each(Object.entries(WAYS))("%s is ended with the call", async (_name, way) => {
    const argv = ["sh", "-c", `${way} sleep 0.5`];
    const { call } = await openWorkstation({ settings: { commands: [argv] } });
    const { stdout } = await call("ci_run_command", { argv });
    expect(Number(stdout)).toBeGreaterThan(1);
    expect(isAlive(Number(stdout))).toBe(false);
  });

  test.each(Object.entries(WAYS))("%s is ended when the time is up", async (_name, way) => {
    const argv = ["sh", "-c", `${way} sleep 600`];
    const { fail } = await openWorkstation({ settings: { commands: [argv] } });
    const { code, details } = await fail("ci_run_command", { argv, timeout_ms: 1500 });
    expect([code, Number(details["stdout"]) > 1]).toEqual(["TIMEOUT", true]);
    expect(isAlive(Number(details["stdout"]))).toBe(false);
  });

  test("is ended with a background process", async () => {
    const argv = ["sh", "-c", `${WAYS["in a session of its own"]} sleep 600`];
    const { call } = await openWorkstation({ settings: { commands: [argv] } });
    const { id } = (await call("process_start", { argv })) as { id: string };
    const { text } = await call("process_read", { id: id, wait_ms: 20_000 });
    expect(isAlive(Number(text))).toBe(true);
    await call("process_stop", { id: id });
    await vi.waitFor(() => expect(isAlive(Number(text))).toBe(false), 20_000);
  });
});
