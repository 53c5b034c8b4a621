import { describe, expect, test } from "vitest";
import { endWithTest } from "../lifecycle/program.js";
import { call, textOf } from "../stdio/child.js";
import { inOrder, isThere, openStdio, until, WAYS } from "./faulty.js";

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

/** The processes that a tool has told of, which end with the test at the latest. */
const pidsOf = (text: string): number[] => text.split(" ").map((pid) => endWithTest(Number(pid)));

/** A family of two that lives. */
function expectFamily(pids: readonly number[]): void {
  expect(pids.map(isThere)).toEqual([true, true]);
}

const allGone = (pids: readonly number[]): Promise<void> => until(() => !pids.some(isThere));

describe.each(WAYS)("over %s, what a tool leaves behind", (_way, open) => {
  test("does not keep the process: timers, sockets, workers, listeners and the like", async () => {
    const faulty = await open();
    for (const leak of LEAKS) expect([leak, textOf(await faulty.call(`leak_${leak}`))]).toEqual([leak, "left"]);
    expect(textOf(await faulty.call("echo", { text: "well" }))).toBe("well");
    expect(await faulty.leave()).toEqual(inOrder);
    expect(faulty.child.stderr).toContain("the exit listener ran\n");
    expect(isThere(faulty.child.process.pid as number)).toBe(false);
  });

  test("of children and their children is ended with the process, though they do not mind SIGTERM", async () => {
    const faulty = await open();
    const family = pidsOf(textOf(await faulty.call("family")));
    expectFamily(family);
    expect(textOf(await faulty.call("echo", { text: "well" }))).toBe("well");
    expect(await faulty.leave()).toEqual(inOrder);
    await allGone(family);
  });

  test("of children that were started for a call is ended with that call", async () => {
    const faulty = await open({ LIMITS: '{"callTimeoutMs":1000}' });
    const hanging = faulty.call("family_and_hang");
    await faulty.child.until(() => /family: .*\n/.test(faulty.child.stderr), "a family");
    const family = pidsOf(/family: (.*)\n/.exec(faulty.child.stderr)?.[1] ?? "");
    expectFamily(family);
    expect(await hanging).toMatchObject({ result: { isError: true, structuredContent: { code: "TIMEOUT" } } });
    await allGone(family);
    expect(textOf(await faulty.call("echo", { text: "well" }))).toBe("well");
    expect(await faulty.leave()).toEqual(inOrder);
  });
});

describe("on stdio, children of tools are ended with the process", () => {
  test("also those that were started past the engine", async () => {
    const faulty = await openStdio();
    const family = pidsOf(textOf(await faulty.call("stray_family")));
    expectFamily(family);
    expect(await faulty.leave()).toEqual(inOrder);
    await allGone(family);
  });

  test.each([
    ["a tool calls process.exit", "exit"],
    ["the process is told to stop", "SIGTERM"],
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
