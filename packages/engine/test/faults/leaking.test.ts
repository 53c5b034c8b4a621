import { describe, expect, test } from "vitest";
import { endWithTest } from "../lifecycle/program.js";
import { call, textOf } from "../stdio/child.js";
import { cleanExit, isThere, openStdio, until, WAYS } from "./fault-server.js";

const LEAKS = [
  "timer",
  "interval",
  "immediates",
  "listener",
  "socket",
  "watcher",
  "worker",
  "stdin",
  "before_exit",
  "exit_listener",
  "busy_worker",
];

/** The processes that a tool has reported, which are killed after the test. */
const pidsOf = (text: string): number[] => text.split(" ").map((pid) => endWithTest(Number(pid)));

/** Two running processes. */
function expectFamily(pids: readonly number[]): void {
  expect(pids.map(isThere)).toEqual([true, true]);
}

const allGone = (pids: readonly number[]): Promise<void> => until(() => !pids.some(isThere));

describe.each(WAYS)("over %s, what a tool leaves running", (_way, open) => {
  test("does not keep the process alive: timers, sockets, workers, listeners", async () => {
    const faulty = await open();
    for (const leak of LEAKS) expect([leak, textOf(await faulty.call(`leak_${leak}`))]).toEqual([leak, "left"]);
    expect(textOf(await faulty.call("echo", { text: "well" }))).toBe("well");
    expect(await faulty.leave()).toEqual(cleanExit);
    expect(faulty.child.stderr).toContain("the exit listener ran\n");
    expect(isThere(faulty.child.process.pid as number)).toBe(false);
  });

  test("is terminated with the process, even children that ignore SIGTERM", async () => {
    const faulty = await open();
    const family = pidsOf(textOf(await faulty.call("family")));
    expectFamily(family);
    expect(textOf(await faulty.call("echo", { text: "well" }))).toBe("well");
    expect(await faulty.leave()).toEqual(cleanExit);
    await allGone(family);
  });

  test("is terminated with the call that started it", async () => {
    const faulty = await open({ LIMITS: '{"callTimeoutMs":1000}' });
    const hanging = faulty.call("family_and_hang");
    await faulty.child.until(() => /family: .*\n/.test(faulty.child.stderr), "a family");
    const family = pidsOf(/family: (.*)\n/.exec(faulty.child.stderr)?.[1] ?? "");
    expectFamily(family);
    expect(await hanging).toMatchObject({ result: { isError: true, structuredContent: { code: "TIMEOUT" } } });
    await allGone(family);
    expect(textOf(await faulty.call("echo", { text: "well" }))).toBe("well");
    expect(await faulty.leave()).toEqual(cleanExit);
  });
});

describe("on stdio, children of tools are terminated with the process", () => {
  test("also those started with node:child_process", async () => {
    const faulty = await openStdio();
    const family = pidsOf(textOf(await faulty.call("stray_family")));
    expectFamily(family);
    expect(await faulty.leave()).toEqual(cleanExit);
    await allGone(family);
  });

  test.each([
    ["a tool calls process.exit", "exit"],
    ["the process receives SIGTERM", "SIGTERM"],
    ["the client no longer reads", "stdout"],
  ])("when %s", async (_when, how) => {
    const { child, ...faulty } = await openStdio();
    const families = pidsOf(`${textOf(await faulty.call("calm_family"))} ${textOf(await faulty.call("stray_family"))}`);
    expect(families.map(isThere)).toEqual([true, true, true, true]);
    if (how === "exit") child.send(call("end", "exit", { code: 3 }));
    else if (how === "SIGTERM") child.process.kill("SIGTERM");
    else {
      child.process.stdout.destroy();
      child.send(call("end", "echo", { text: "unheard" }));
    }
    expect(await child.ended).toEqual({ code: how === "exit" ? 3 : 0, signal: null });
    await allGone(families);
  });
});
