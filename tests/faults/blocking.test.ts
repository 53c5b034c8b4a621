import { describe, expect, test } from "vitest";
import { call, type Message, ping, textOf } from "../stdio/child.js";
import { inOrder, openHttp, openStdio, WAYS } from "./faulty.js";

const cancel = (requestId: unknown): Message => ({
  jsonrpc: "2.0",
  method: "notifications/cancelled",
  params: { requestId, reason: "enough" },
});

/** What a client is told of a call that ran out of time, with the time that it took left out. */
const untimed = (text: string): string => text.replace(/after \d+ ms/, "after … ms");

const outOfTime = (name: string): string =>
  `The tool "${name}" did not finish: stopped after … ms (limit 100 ms without progress). Ask for less at once, or have the timeout of the tool raised.`;

describe.each(WAYS)("over %s, a tool", (_way, open) => {
  test("that never answers is stopped at its limit of time", async () => {
    const faulty = await open();
    const answer = await faulty.call("hang_briefly");
    expect(untimed(textOf(answer))).toBe(outOfTime("hang_briefly"));
    expect(answer).toMatchObject({ result: { isError: true, structuredContent: { code: "TIMEOUT", timeoutMs: 100 } } });
    expect(textOf(await faulty.call("echo", { text: "well" }))).toBe("well");
    expect(await faulty.leave()).toEqual(inOrder);
  });

  test("that does not hear that it should stop cannot answer a second time", async () => {
    const faulty = await open();
    expect(untimed(textOf(await faulty.call("deaf", {}, { progressToken: "p" })))).toBe(outOfTime("deaf"));
    expect(textOf(await faulty.call("open_gate"))).toBe("open");
    await faulty.child.until(() => faulty.child.stderr.includes("went on: true\n"), "the late answer");
    expect(textOf(await faulty.call("echo", { text: "well" }))).toBe("well");
    expect(await faulty.leave()).toEqual(inOrder);
    expect(faulty.child.lines.join("\n")).not.toContain("too late");
  });

  test("that throws where it hears that it should stop is answered and logged all the same", async () => {
    const faulty = await open();
    expect(untimed(textOf(await faulty.call("angry_stop")))).toBe(outOfTime("angry_stop"));
    await faulty.child.until(
      () => faulty.child.stderr.includes("Error: thrown in a listener\n"),
      "the error in its log",
    );
    expect(textOf(await faulty.call("echo", { text: "well" }))).toBe("well");
    expect(await faulty.leave()).toEqual(inOrder);
  });

  test("that lets nothing else run for a second costs no other call its answer", async () => {
    const faulty = await open();
    const texts = Array.from({ length: 20 }, (_, at) => `${at}`);
    const blocked = faulty.call("block");
    await faulty.child.until(() => faulty.child.stderr.includes("blocking\n"), "its start");
    const others = await Promise.all(texts.map((text) => faulty.call("echo", { text })));
    expect(others.map(textOf)).toEqual(texts);
    expect(textOf(await blocked)).toBe("blocked");
    expect(await faulty.leave()).toEqual(inOrder);
  });

  test("that lets only microtasks run for long costs no other call its answer", async () => {
    const faulty = await open();
    const [turned, other] = await Promise.all([faulty.call("block_in_turns"), faulty.call("echo", { text: "well" })]);
    expect([textOf(turned), textOf(other)]).toEqual(["turned", "well"]);
    expect(await faulty.leave()).toEqual(inOrder);
  });
});

test("a ping that came while a tool blocked is answered, and so is a cancellation heard", async () => {
  const { child, leave } = await openStdio();
  child.send(call(1, "block"), call(2, "hang"), ping(3), cancel(2), call(4, "echo", { text: "after" }));
  await child.answer(4);
  expect(await leave()).toEqual(inOrder);
  expect(child.messages.map(({ id }) => id)).toEqual([0, 1, 3, 4]);
});

test("a tool that never answers and does not stop is no obstacle: its call can be cancelled, and its id used again", async () => {
  const { child, leave } = await openStdio();
  child.send(call(1, "hang"));
  await child.until(() => child.stderr.includes("hanging\n"), "its start");
  child.send(cancel(1), call(1, "echo", { text: "anew" }));
  expect(textOf(await child.answer(1))).toBe("anew");
  expect(await leave()).toEqual(inOrder);
  expect(child.messages.map(({ id }) => id)).toEqual([0, 1]);
});

test("tools that hang take every place, and give it back when they are cancelled", async () => {
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
  expect(await leave()).toEqual(inOrder);
});

test("over HTTP, a client that gives up a hanging call gives back its place", async () => {
  const faulty = await openHttp({ LIMITS: '{"callsInFlight":1,"callsQueued":1}' });
  const gone = new AbortController();
  const hanging = faulty.post("hang", {}, {}, gone.signal);
  await faulty.child.until(() => faulty.child.stderr.includes("hanging\n"), "its start");
  const waiting = faulty.call("echo", { text: "well" });
  gone.abort();
  await expect(hanging).rejects.toThrow("aborted");
  expect(textOf(await waiting)).toBe("well");
  expect(await faulty.leave()).toEqual(inOrder);
});
