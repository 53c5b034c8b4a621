import { ToolError } from "@toolwright/engine";
import { describe, expect, onTestFinished, test } from "vitest";
import { type JobLimits, JobThread } from "../../../src/threads/job-thread.js";

const SCRIPT = `
import { parentPort } from "node:worker_threads";
parentPort.on("message", (job) => {
  if (job === "endless") for (;;);
  if (job === "memory") for (const all = []; ; ) all.push(new Array(100_000).fill(1.5));
  if (job === "end") process.exit(1);
  if (job === "fail") parentPort.postMessage({ error: { message: "no", code: "NOT_FOUND", details: { got: 1 } } });
  else parentPort.postMessage({ result: "done: " + job });
});`;

function createThread(limits?: JobLimits): JobThread<string> {
  const thread = new JobThread<string>(new URL(`data:text/javascript,${encodeURIComponent(SCRIPT)}`), limits);
  onTestFinished(() => thread.close());
  return thread;
}

describe("a job thread", () => {
  test("runs jobs in order", async () => {
    const thread = createThread();
    expect(await Promise.all([thread.run("a"), thread.run("b")])).toEqual(["done: a", "done: b"]);
  });

  test("ends a job that takes too long, and runs the next one", async () => {
    const thread = createThread({ jobMs: 200 });
    await thread.run("first");
    const endless = thread.run("endless");
    const next = thread.run("next");
    await expect(endless).rejects.toMatchObject({
      name: "JobLimitExceeded",
      message: "it takes longer than 0.2 seconds",
    });
    expect(await next).toBe("done: next");
  });

  test("ends a job that takes too much memory", async () => {
    await expect(createThread({ memoryMb: 16 }).run("memory")).rejects.toThrow("it uses too much memory");
  });

  test("fails if its script ends", async () => {
    await expect(createThread().run("end")).rejects.toThrow("its thread has ended");
  });

  test("passes on the error of a tool", async () => {
    const error = await createThread()
      .run("fail")
      .catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(ToolError);
    expect(error).toMatchObject({ message: "no", code: "NOT_FOUND", details: { got: 1 } });
  });

  test("ends a job whose caller has left, and skips one that waits", async () => {
    const thread = createThread();
    const controller = new AbortController();
    const running = thread.run("endless", controller.signal);
    const waiting = thread.run("waiting", controller.signal);
    const next = thread.run("next");
    controller.abort(new Error("gone"));
    await expect(running).rejects.toThrow("gone");
    await expect(waiting).rejects.toThrow("gone");
    expect(await next).toBe("done: next");
  });

  test("fails what runs and waits when it is closed", async () => {
    const thread = createThread();
    const all = [thread.run("endless"), thread.run("waiting")].map((run) => expect(run).rejects.toThrow("is closing"));
    await new Promise((resolve) => setTimeout(resolve, 200));
    await thread.close();
    await Promise.all(all);
  });
});
