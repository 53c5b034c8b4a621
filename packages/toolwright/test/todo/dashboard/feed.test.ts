import { createTask } from "@toolwright/todo/tasks/edit-tasks.js";
import { expect, onTestFinished, test } from "vitest";
import { openSite, type Site } from "./kit.js";
import { runTask } from "./run-task.js";

/** Follows the events of a site, as the script of its pages does. */
async function follow({ url }: Site): Promise<{ seqs: number[]; ended: Promise<void>; leave(): void }> {
  const leaving = new AbortController();
  onTestFinished(() => leaving.abort());
  const answer = await fetch(new URL("/events", url), { signal: leaving.signal });
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "text/event-stream"]);
  const seqs: number[] = [];
  const read = async (): Promise<void> => {
    for await (const piece of answer.body?.pipeThrough(new TextDecoderStream()) ?? [])
      for (const [, seq] of piece.matchAll(/^event: changed\nid: \d+\ndata: (\d+)$/gm)) seqs.push(Number(seq));
  };
  return { seqs, ended: read().catch(() => undefined), leave: () => leaving.abort() };
}

test("reports changes of another process, with their sequence number", async () => {
  const site = await openSite();
  await createTask(site.todo, { description: "one" });
  const { seqs } = await follow(site);
  await expect.poll(() => seqs.at(-1)).toBe(1);
  await runTask(site.database, "add", "two");
  await expect.poll(() => seqs.at(-1), { timeout: 10_000 }).toBe(2);
});

test("reports changes of this process to all listeners", async () => {
  const site = await openSite();
  const [first, second] = [await follow(site), await follow(site)];
  await expect.poll(() => [first.seqs.length > 0, second.seqs.length > 0]).toEqual([true, true]);
  await createTask(site.todo, { description: "one" });
  await expect.poll(() => [first.seqs.at(-1), second.seqs.at(-1)]).toEqual([1, 1]);
  first.leave();
  await createTask(site.todo, { description: "two" });
  await expect.poll(() => second.seqs.at(-1)).toBe(2);
});

test("a stream ends with the server", async () => {
  const site = await openSite();
  const { ended } = await follow(site);
  await site.serving.close();
  await ended;
});
