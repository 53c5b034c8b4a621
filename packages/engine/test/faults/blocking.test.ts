import { describe, expect, test } from "vitest";
import { call, type Message, ping, textOf } from "../stdio/child.js";
import { cleanExit, openHttp, openStdio, WAYS } from "./fault-server.js";

const cancel = (requestId: unknown): Message => ({
  jsonrpc: "2.0",
  method: "notifications/cancelled",
  params: { requestId, reason: "enough" },
});

/** The timeout error of a call, without the elapsed time. */
const untimed = (text: string): string => text.replace(/after \d+ ms/, "after … ms");

const outOfTime = (name: string): string =>
  `The tool "${name}" did not finish: stopped after … ms (limit 100 ms without progress). Ask for less at once, or increase the timeout of the tool.`;

describe.each(WAYS)("over %s, a tool", (_way, open) => {
  test("that never returns is stopped at its timeout", async () => {
    const faulty = await open();
    const answer = await faulty.call("hang_briefly");
    expect(untimed(textOf(answer))).toBe(outOfTime("hang_briefly"));
    expect(answer).toMatchObject({ result: { isError: true, structuredContent: { code: "TIMEOUT", timeoutMs: 100 } } });
    expect(textOf(await faulty.call("echo", { text: "well" }))).toBe("well");
    expect(await faulty.leave()).toEqual(cleanExit);
  });

  test("that ignores its signal cannot respond a second time", async () => {
    const faulty = await open();
    expect(untimed(textOf(await faulty.call("deaf", {}, { progressToken: "p" })))).toBe(outOfTime("deaf"));
    expect(textOf(await faulty.call("open_gate"))).toBe("open");
    await faulty.child.until(() => faulty.child.stderr.includes("went on: true\n"), "the late answer");
    expect(textOf(await faulty.call("echo", { text: "well" }))).toBe("well");
    expect(await faulty.leave()).toEqual(cleanExit);
    expect(faulty.child.lines.join("\n")).not.toContain("too late");
  });

  test("that throws in its abort listener is answered and logged", async () => {
    const faulty = await open();
    expect(untimed(textOf(await faulty.call("angry_stop")))).toBe(outOfTime("angry_stop"));
    await faulty.child.until(
      () => faulty.child.stderr.includes("Error: thrown in a listener\n"),
      "the error in its log",
    );
    expect(textOf(await faulty.call("echo", { text: "well" }))).toBe("well");
    expect(await faulty.leave()).toEqual(cleanExit);
  });

  test("that blocks the event loop for a second loses no other response", async () => {
    const faulty = await open();
    const texts = Array.from({ length: 20 }, (_, at) => `${at}`);
    const blocked = faulty.call("block");
    await faulty.child.until(() => faulty.child.stderr.includes("blocking\n"), "its start");
    const others = await Promise.all(texts.map((text) => faulty.call("echo", { text })));
    expect(others.map(textOf)).toEqual(texts);
    expect(textOf(await blocked)).toBe("blocked");
    expect(await faulty.leave()).toEqual(cleanExit);
  });

  test("that runs only microtasks for long loses no other response", async () => {
    const faulty = await open();
    const [turned, other] = await Promise.all([faulty.call("block_in_turns"), faulty.call("echo", { text: "well" })]);
    expect([textOf(turned), textOf(other)]).toEqual(["turned", "well"]);
    expect(await faulty.leave()).toEqual(cleanExit);
  });
});

test("a ping and a cancellation that came while a tool blocked are processed", async () => {
  const { child, leave } = await openStdio();
  child.send(call(1, "block"), call(2, "hang"), ping(3), cancel(2), call(4, "echo", { text: "after" }));
  await child.answer(4);
  expect(await leave()).toEqual(cleanExit);
  expect(child.messages.map(({ id }) => id)).toEqual([0, 1, 3, 4]);
});

test("a call of a tool that never returns can be cancelled, and its id used again", async () => {
  const { child, leave } = await openStdio();
  child.send(call(1, "hang"));
  await child.until(() => child.stderr.includes("hanging\n"), "its start");
  child.send(cancel(1), call(1, "echo", { text: "anew" }));
  expect(textOf(await child.answer(1))).toBe("anew");
  expect(await leave()).toEqual(cleanExit);
  expect(child.messages.map(({ id }) => id)).toEqual([0, 1]);
});

test("hanging tools use up the concurrency limit until they are cancelled", async () => {
  const { child, leave } = await openStdio({ LIMITS: '{"callsInFlight":3,"callsQueued":1}' });
  child.send(
    ...[1, 2, 3].map((id) => call(id, "hang")),
    call(4, "echo", { text: "waits" }),
    call(5, "echo", { text: "no" }),
  );
  expect(await child.answer(5)).toMatchObject({ result: { isError: true, structuredContent: { code: "BUSY" } } });
  child.send(ping(6));
  await child.answer(6);
  child.send(cancel(1));
  expect(textOf(await child.answer(4))).toBe("waits");
  child.send(cancel(2), cancel(3), call(7, "echo", { text: "well" }));
  expect(textOf(await child.answer(7))).toBe("well");
  expect(await leave()).toEqual(cleanExit);
});

test("over HTTP, disconnecting from a hanging call frees its slot", async () => {
  const faulty = await openHttp({ LIMITS: '{"callsInFlight":1,"callsQueued":1}' });
  const gone = new AbortController();
  const hanging = faulty.post("hang", {}, {}, gone.signal);
  await faulty.child.until(() => faulty.child.stderr.includes("hanging\n"), "its start");
  const waiting = faulty.call("echo", { text: "well" });
  gone.abort();
  await expect(hanging).rejects.toThrow("aborted");
  expect(textOf(await waiting)).toBe("well");
  expect(await faulty.leave()).toEqual(cleanExit);
});
