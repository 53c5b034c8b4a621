import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { type Child, call, type Message, startWorkshop, textOf } from "../../packages/engine/test/stdio/child.js";
import { SLACK } from "./memory-allowance.js";

const MIB = 1024 * 1024;

async function memoryOf(child: Child, id: string): Promise<{ now: number; most: number }> {
  child.send(call(id, "memory"));
  const { structuredContent } = (await child.answer(id))["result"] as { structuredContent: never };
  return structuredContent;
}

/** Waits until the server stops reading what is written to it. */
async function stuck(child: Child): Promise<number> {
  for (let before = -1; ; ) {
    const waiting = child.process.stdin.writableLength;
    if (waiting === before) return waiting;
    before = waiting;
    await sleep(400);
  }
}

test("a client that sends much and reads late gets every response once, and the server stops reading meanwhile", async () => {
  const child = await startWorkshop();
  const before = await memoryOf(child, "before");
  child.process.stdout.pause();
  const text = "x".repeat(10_000);
  for (let at = 0; at < 4000; at += 1) child.send(call(at + 1, "echo", { text: `${at} ${text}` }));
  // 40 MB were written; the pipes and the server hold a few of them, the rest is still with the client.
  expect(await stuck(child)).toBeGreaterThan(30 * MIB);
  child.process.stdout.resume();
  await child.answer(4000);
  const answers = child.messages.slice(2);
  expect(answers.map(({ id }) => id)).toEqual(Array.from({ length: 4000 }, (_, at) => at + 1));
  expect(answers.every((answer, at) => textOf(answer) === `${at} ${text}`)).toBe(true);
  const after = await memoryOf(child, "after");
  expect(after.most - before.most).toBeLessThan(100 * MIB);
});

test("many requests in one chunk with large responses wait until the client reads", async () => {
  const child = await startWorkshop();
  const before = await memoryOf(child, "before");
  child.process.stdout.pause();
  const count = 500;
  child.send(...Array.from({ length: count }, (_, at) => call(at + 1, "large", { bytes: 300_000 })));
  await sleep(400);
  child.process.stdout.resume();
  await child.answer(count);
  expect(child.messages.slice(2).map(({ id }) => id)).toEqual(Array.from({ length: count }, (_, at) => at + 1));
  const after = await memoryOf(child, "after");
  expect(after.most - before.most).toBeLessThan(80 * SLACK * MIB);
});

test("slow calls over the concurrency limit are answered too, each once", async () => {
  const child = await startWorkshop({ LIMITS: '{"callsInFlight":4,"callsQueued":20}' });
  child.process.stdout.pause();
  for (let at = 1; at <= 200; at += 1) child.send(call(at, "pause", { ms: 1 }));
  child.process.stdout.resume();
  await child.until(() => child.lines.length === 201, "200 answers");
  const answers = child.messages.slice(1);
  expect(answers.map(({ id }) => id as number).toSorted((a, b) => a - b)).toEqual(
    Array.from({ length: 200 }, (_, at) => at + 1),
  );
  const codes = answers.map(
    (answer) => (answer["result"] as { structuredContent?: Message }).structuredContent?.["code"],
  );
  expect(new Set(codes)).toEqual(new Set([undefined, "BUSY"]));
});
