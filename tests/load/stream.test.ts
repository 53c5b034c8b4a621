import { expect, test } from "vitest";
import { type Child, call, startWorkshop } from "../../packages/engine/test/stdio/child.js";

const MIB = 1024 * 1024;
const TEXTS = [50, 1500, 10_000, 50_000, 125_000].map((length) => "é".repeat(length));

interface Answer {
  readonly id: unknown;
  readonly result: { readonly content: readonly { readonly text: string }[] };
}

/** Receives each response and drops it, because there are a hundred megabytes of them. */
function hear(child: Child, take: (answer: Answer) => void): void {
  let rest: string[] = [];
  child.process.stdout.removeAllListeners("data").on("data", (text: string) => {
    const [first = "", ...more] = text.split("\n");
    rest.push(first);
    for (const part of more) {
      take(JSON.parse(rest.join("")) as Answer);
      rest = [part];
    }
  });
}

test("100 MB of messages pass through in bounded memory, each answered once and in order", async () => {
  const child = await startWorkshop();
  const ids: unknown[] = [];
  const wrong: unknown[] = [];
  const memory: number[] = [];
  hear(child, ({ id, result }) => {
    const text = result.content[0]?.text ?? "";
    if (typeof id === "string") memory.push((JSON.parse(text) as { most: number }).most);
    else if (text !== TEXTS[ids.push(id) % TEXTS.length]) wrong.push(id);
  });
  child.send(call("before", "memory"));
  let sent = 0;
  for (let bytes = 0; bytes < 100 * MIB; ) {
    sent += 1;
    const line = `${JSON.stringify(call(sent, "echo", { text: TEXTS[sent % TEXTS.length] }))}\n`;
    bytes += Buffer.byteLength(line);
    if (!child.process.stdin.write(line)) await new Promise((resolve) => child.process.stdin.once("drain", resolve));
  }
  child.send(call("after", "memory"));
  child.process.stdin.end();
  expect(await child.ended).toEqual({ code: 0, signal: null });
  expect(ids).toEqual(Array.from({ length: sent }, (_, at) => at + 1));
  expect(wrong).toEqual([]);
  const [before = 0, after = Number.POSITIVE_INFINITY] = memory;
  expect(after - before).toBeLessThan(150 * MIB);
}, 60_000);
