import { readdir } from "node:fs/promises";
import path from "node:path";
import { connectTestClient } from "@toolwright/engine/testing";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { makeFolder, openWorkstation, type TestWorkstation } from "../kit.js";
import { isAlive } from "./alive.js";

const NODE = { settings: { commands: [["node", "**"]] } };

async function start({ call }: TestWorkstation, program: string, more: object = {}): Promise<string> {
  return (await call("process_start", { argv: ["node", "-e", program], ...more }))["id"] as string;
}

/** Reads until the process has ended, the way a client does. */
async function readAll(
  { call }: TestWorkstation,
  id: string,
): Promise<{ text: string; last: Record<string, unknown> }> {
  let text = "";
  for (let offset = 0; ; ) {
    const part = await call("process_read", { id, offset, wait_ms: 20_000 });
    text += part["text"] as string;
    offset = Number(part["next_offset"]);
    if (part["state"] === "ended" && part["left"] === 0) return { text, last: part };
  }
}

describe("a background process", () => {
  test("needs an entry like any command", async () => {
    const { fail } = await openWorkstation();
    expect((await fail("process_start", { argv: ["node"] })).code).toBe("FORBIDDEN_COMMAND");
  });

  test("is read piece by piece while it runs, and after its end", async () => {
    const bench = await openWorkstation(NODE);
    const id = await start(
      bench,
      "console.log('one'); setTimeout(() => { console.log('two'); console.log('three'); process.exitCode = 4; }, 50)",
    );
    const { text, last } = await readAll(bench, id);
    expect(text).toBe("one\ntwo\nthree\n");
    expect(last).toMatchObject({ state: "ended", exit_code: 4, bytes: 14 });
    expect((await bench.call("process_read", { id, offset: -6 }))["text"]).toBe("three\n");
    expect((await bench.call("process_read", { id, offset: 1_000_000 }))["text"]).toBe("");
  });

  test("lets a reader wait until something comes, and no longer than it wants", async () => {
    const bench = await openWorkstation(NODE);
    const id = await start(bench, "process.stdin.resume(); setInterval(() => {}, 1000)");
    expect(await bench.call("process_read", { id, wait_ms: 20 })).toMatchObject({ state: "running", text: "" });
    await bench.call("process_stop", { id });
  });

  test("reads an empty input, and characters are never cut in two", async () => {
    const bench = await openWorkstation(NODE);
    const id = await start(
      bench,
      "process.stdin.on('end', () => process.stdout.write('€'.repeat(1000))); process.stdin.resume()",
    );
    await readAll(bench, id);
    let text = "";
    for (let offset = 0; offset < 3000; ) {
      const part = await bench.call("process_read", { id, offset, limit: 100 });
      text += part["text"] as string;
      offset = Number(part["next_offset"]);
    }
    expect(text).toBe("€".repeat(1000));
    expect(await bench.call("process_read", { id, offset: 1, limit: 9 })).toMatchObject({ offset: 3, text: "€€" });
  });

  test("is ended with all that it has started, even where SIGTERM is ignored", async () => {
    const bench = await openWorkstation({
      ...NODE,
      files: { "deaf.cjs": "process.on('SIGTERM', () => {}); console.log(process.pid); setInterval(() => {}, 1000);" },
    });
    const parent =
      "process.on('SIGTERM', () => {}); require('node:child_process').spawn(process.execPath, ['deaf.cjs'], { stdio: 'inherit' }); setInterval(() => {}, 1000)";
    const id = await start(bench, parent);
    const { pid } = (await bench.call("process_read", { id })) as { pid: number };
    let text = "";
    while (!text.includes("\n")) text = (await bench.call("process_read", { id, wait_ms: 5000 }))["text"] as string;
    expect(await bench.call("process_stop", { id })).toMatchObject({ state: "ended", signal: "SIGKILL" });
    await vi.waitFor(() => expect([pid, Number(text)].filter(isAlive)).toEqual([]), 10_000);
    expect(await bench.call("process_stop", { id })).toMatchObject({ state: "ended" });
  });

  test("ends although a process that has left its group holds its output open", async () => {
    const bench = await openWorkstation({
      ...NODE,
      files: { "stay.cjs": "console.log(process.pid); setInterval(() => {}, 1000);" },
    });
    const id = await start(
      bench,
      "require('node:child_process').spawn(process.execPath, ['stay.cjs'], { stdio: 'inherit', detached: true }).unref(); setTimeout(() => process.exit(0), 500)",
    );
    const { text, last } = await readAll(bench, id);
    expect(last).toMatchObject({ state: "ended", exit_code: 0 });
    process.kill(Number(text), "SIGKILL");
  });

  test("may close its output and live on", async () => {
    const bench = await openWorkstation(NODE);
    const id = await start(
      bench,
      "const fs = require('node:fs'); console.log('bye'); fs.closeSync(1); fs.closeSync(2); setTimeout(() => process.exit(7), 300)",
    );
    const { text, last } = await readAll(bench, id);
    expect([text, last["exit_code"]]).toEqual(["bye\n", 7]);
  });

  test("is ended when its time is up", async () => {
    const bench = await openWorkstation(NODE);
    const id = await start(bench, "setInterval(() => {}, 1000)", { timeout_ms: 300 });
    expect((await readAll(bench, id)).last).toMatchObject({ state: "ended", timed_out: true });
  });

  test("may write more than is kept: the first and the last part stay, offsets hold, the disk is spared", async () => {
    const bench = await openWorkstation(NODE);
    const line = `${"x".repeat(63)}\n`;
    const id = await start(
      bench,
      `const piece = ${JSON.stringify(line)}.repeat(1024); let left = 640; const go = () => { while (left-- > 0) if (!process.stdout.write(piece)) return process.stdout.once('drain', go); process.stdout.end('end\\n'); }; process.stdout.write('start\\n'); go();`,
    );
    await vi.waitFor(
      async () => expect(await bench.call("process_read", { id, limit: 1 })).toMatchObject({ state: "ended" }),
      25_000,
    );
    const total = 6 + 640 * 64 * 1024 + 4;
    const first = await bench.call("process_read", { id, limit: 6 });
    expect(first).toMatchObject({ text: "start\n", bytes: total, exit_code: 0 });
    expect((await bench.call("process_read", { id, offset: -4 }))["text"]).toBe("end\n");
    const middle = await bench.call("process_read", { id, offset: 4_000_000, limit: 10 });
    expect(middle["skipped"]).toBeGreaterThan(30_000_000);
    expect(middle["offset"]).toBe(4_000_000 + Number(middle["skipped"]));
    const folders = await readdir(path.join(bench.state, "workstation", "processes"));
    const kept = await readdir(path.join(bench.state, "workstation", "processes", folders[0] ?? ""));
    expect(kept.length).toBeLessThanOrEqual(8);
  });

  test("belongs to whoever started it", async () => {
    const bench = await openWorkstation({ ...NODE, principal: "ada" });
    const id = await start(bench, "setInterval(() => {}, 1000)");
    const other = await connectTestClient(bench.server, { principal: "bob" });
    onTestFinished(() => other.close());
    for (const name of ["process_read", "process_stop"]) {
      const result = await other.callTool(name, { id });
      expect(result["isError"]).toBe(true);
    }
    expect((await other.callTool("process_read", {}))["structuredContent"]).toEqual({ processes: [] });
    expect((await bench.call("process_read"))["processes"]).toMatchObject([{ id, state: "running" }]);
    await bench.call("process_stop", { id });
  });

  test("is one of eight at most", async () => {
    const bench = await openWorkstation(NODE);
    const started = await Promise.all(Array.from({ length: 8 }, () => start(bench, "setInterval(() => {}, 1000)")));
    const { code, text } = await bench.fail("process_start", { argv: ["node", "-e", "0"] });
    expect(code).toBe("UNAVAILABLE");
    expect(text).toContain("8 of yours are running, and 8 in all. Yours: ");
    expect(started.filter((id) => !text.includes(id))).toEqual([]);
  });

  test("ends with the server, and leaves nothing behind", async () => {
    const state = await makeFolder();
    const bench = await openWorkstation({ ...NODE, state });
    const id = await start(bench, "console.log(1); setInterval(() => {}, 1000)");
    const { pid } = (await bench.call("process_read", { id, wait_ms: 10_000 })) as { pid: number };
    await bench.server.close();
    expect(isAlive(pid)).toBe(false);
    expect(await readdir(path.join(state, "workstation", "processes"))).toEqual([]);
    const later = await openWorkstation({ ...NODE, state });
    const { code, text } = await later.fail("process_read", { id });
    expect(code).toBe("NOT_FOUND");
    expect(text).toContain("until the server ends");
  });
});
