import { describe, expect, test } from "vitest";
import { call, ping, textOf } from "../stdio/child.js";
import { cleanExit, isThere, openHttp, openStdio, until, WAYS } from "./fault-server.js";

const UNEXPECTED = /^The tool failed unexpectedly\. Reference: [0-9a-f]{8}$/;

describe.each(WAYS)("over %s, the server continues", (_way, open) => {
  test.each([
    ["exhaust_worker", "Worker terminated due to reaching memory limit"],
    ["exit_worker", "Error: The worker ended with code 3."],
    ["overflow", "RangeError: Maximum call stack size exceeded"],
  ])("when a tool does this: %s", async (name, logged) => {
    const faulty = await open();
    const [failed, other] = await Promise.all([faulty.call(name), faulty.call("echo", { text: "beside" })]);
    expect(textOf(failed)).toMatch(UNEXPECTED);
    expect(textOf(other)).toBe("beside");
    await faulty.child.until(() => faulty.child.stderr.includes(logged), "the reason in its log");
    expect(textOf(await faulty.call("echo", { text: "well" }))).toBe("well");
    expect(await faulty.leave()).toEqual(cleanExit);
  });

  test("when a tool changes the working directory or Object.prototype", async () => {
    const faulty = await open();
    expect(textOf(await faulty.call("change_folder"))).toBe("moved");
    expect(textOf(await faulty.call("pollute"))).toBe("polluted");
    expect(textOf(await faulty.call("throw_error"))).toMatch(UNEXPECTED);
    const { result } = await faulty.call("echo", { text: "well" });
    expect(result).toMatchObject({ content: [{ type: "text", text: "well" }], isError: false });
    expect(await faulty.leave()).toEqual(cleanExit);
  });
});

describe("on stdio, a tool that exits the process", () => {
  const ended = (code: number) => ({
    code: -32603,
    message: `The server exited before it responded: the process exited with code ${code}. The call may have taken effect. Restart the server.`,
  });

  test.each([0, 3])("with code %i answers every pending call, and loses no earlier response", async (code) => {
    const { child } = await openStdio();
    child.send(
      call(1, "hang"),
      call(2, "echo", { text: "before" }),
      call(3, "exit", { code }),
      call(4, "echo", { text: "after" }),
    );
    expect(await child.ended).toEqual({ code, signal: null });
    expect(child.messages.toSorted((a, b) => Number(a["id"]) - Number(b["id"])).slice(1)).toEqual([
      { jsonrpc: "2.0", id: 1, error: ended(code) },
      { jsonrpc: "2.0", id: 2, result: { content: [{ type: "text", text: "before" }], isError: false } },
      { jsonrpc: "2.0", id: 3, error: ended(code) },
      { jsonrpc: "2.0", id: 4, error: ended(code) },
    ]);
    expect(child.unfinished).toBe("");
    expect(isThere(child.process.pid as number)).toBe(false);
  });

  test("with SIGKILL ends the connection without an incomplete message", async () => {
    const { child } = await openStdio();
    child.send(call(1, "echo", { text: "before" }));
    await child.answer(1);
    child.send(call(2, "abort"));
    expect(await child.ended).toEqual({ code: null, signal: "SIGKILL" });
    expect(child.messages.map(({ id }) => id)).toEqual([0, 1]);
    expect(child.unfinished).toBe("");
  });

  test.each(["setTimeout", "clearTimeout", "setImmediate", "performance", "Promise", "Buffer"])(
    "or only deletes %s cannot keep the process from exiting with its client",
    async (name) => {
      const { child, leave } = await openStdio({ LIMITS: '{"drainMs":300}' });
      child.send(call(1, "leak_interval"), ping(2));
      await child.answer(2);
      child.send(call(3, "delete_global", { name }), call(4, "echo", { text: "after" }));
      await leave();
      expect(isThere(child.process.pid as number)).toBe(false);
      expect(child.unfinished).toBe("");
    },
  );

  test("by deleting globals cannot keep it from exiting with its client, with a code other than 0", async () => {
    const { child } = await openStdio();
    child.send(call(1, "delete_globals"), call(2, "echo", { text: "after" }));
    child.process.stdin.end();
    expect((await child.ended).code).not.toBe(0);
    expect(child.unfinished).toBe("");
  });
});

test("over HTTP, a tool that exits the process closes the connections, and no child is left", async () => {
  const site = await openHttp();
  const family = textOf(await site.call("calm_family"))
    .split(" ")
    .map(Number);
  expect(family.map(isThere)).toEqual([true, true]);
  const waiting = Promise.allSettled([site.post("hang"), site.post("told_when_stopped", { text: "x" })]);
  await site.child.until(
    () => /hanging\n[^]*running: x\n|running: x\n[^]*hanging\n/.test(site.child.stderr),
    "the calls",
  );
  await expect(site.call("exit", { code: 3 })).rejects.toThrow("fetch failed");
  expect((await waiting).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(await site.child.ended).toEqual({ code: 3, signal: null });
  await until(() => !family.some(isThere));
});

describe("on stdio, stdout is reserved for messages", () => {
  test("what a tool or a worker prints goes to stderr, and no message can be forged", async () => {
    const { child, ...faulty } = await openStdio();
    expect(textOf(await faulty.call("print"))).toBe("printed");
    expect(textOf(await faulty.call("worker_prints"))).toBe("printed");
    child.send(ping("p"));
    await child.answer("p");
    expect(await faulty.leave()).toEqual(cleanExit);
    expect(child.messages.map(({ id }) => id)).toEqual([0, 1, 2, "p"]);
    for (const line of [
      "printed by console.log",
      '{"jsonrpc":"2.0","id":"forged","result":{}}',
      "half a line",
      "the end",
      "a worker prints",
    ])
      expect(child.stderr).toContain(`[STDOUT] ${line}\n`);
  });

  test.each([
    ["child_inherits", "done", "a child prints\n"],
    ["fork", "forked", "a forked child prints\n"],
  ])("a child does not inherit stdin and stdout: %s", async (name, text, printed) => {
    const { child, ...faulty } = await openStdio();
    child.send(call("a", name));
    await child.until(() => child.lines.some((line) => line.includes('"id":"a"')), "its answer");
    await child.until(() => `${child.stderr}${child.lines.join("\n")}\n`.includes(printed), "what it prints");
    expect(child.lines.filter((line) => !line.startsWith("{"))).toEqual([]);
    expect(child.stderr).toContain(printed);
    expect(textOf(await child.answer("a"))).toBe(text);
    for (let times = 0; times < 5; times += 1) expect(textOf(await faulty.call("echo", { text: "well" }))).toBe("well");
    expect(await faulty.leave()).toEqual(cleanExit);
  });

  test.each(["child_inherits_now", "write_to_one"])(
    "what is written past Node, a whole line at a time, cannot break a message: %s",
    async (name) => {
      const { child, ...faulty } = await openStdio();
      child.send(call("a", name), call("b", "echo", { text: "x".repeat(200_000) }), call("c", name), ping("d"));
      await child.until(() => child.lines.some((line) => line.includes('"id":"d"')), "an answer");
      expect(await faulty.leave()).toEqual(cleanExit);
      const messages = child.lines
        .filter((line) => line.startsWith("{"))
        .map((line) => JSON.parse(line) as { id: unknown });
      expect(messages.map(({ id }) => String(id)).toSorted()).toEqual(["0", "a", "b", "c", "d"]);
    },
  );

  test("a tool that removes all process listeners cannot keep it from exiting with its client", async () => {
    const { child, ...faulty } = await openStdio();
    expect(textOf(await faulty.call("remove_listeners"))).toBe("removed");
    expect(textOf(await faulty.call("echo", { text: "well" }))).toBe("well");
    expect(await faulty.leave()).toEqual(cleanExit);
    expect(isThere(child.process.pid as number)).toBe(false);
  });
});
