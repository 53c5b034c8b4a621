import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { FIRST_MESSAGES, folderWith } from "../../../engine/test/lifecycle/program.js";
import { Child } from "../../../engine/test/stdio/child.js";

const main = fileURLToPath(new URL("../../dist/main.js", import.meta.url));

/** Starts `toolwright serve` in its own folder. */
function serve(...words: readonly string[]): Child {
  return new Child(process.execPath, [main, "serve", "--state", folderWith({}), ...words]);
}

describe.each(FIRST_MESSAGES)("toolwright serve reports to a client of %s why it cannot start:", (_revision, first) => {
  test("an unknown command line option", async () => {
    const child = serve("--sate=x");
    child.send(first);
    child.process.stdin.end();
    expect(await child.ended).toEqual({ code: 2, signal: null });
    const message = expect.stringMatching(/^The server cannot start: .*--sate/) as string;
    expect(child.messages).toEqual([{ jsonrpc: "2.0", id: "first", error: { code: -32603, message } }]);
    expect(child.stderr).toMatch(/^toolwright: .*--sate/);
  });

  test("a port that is in use", async () => {
    const taken = createServer().listen(0, "127.0.0.1");
    onTestFinished(() => void taken.close());
    await new Promise((resolve) => taken.once("listening", resolve));
    const { port } = taken.address() as AddressInfo;
    const child = serve("--stdio", "--http", String(port));
    child.send(first);
    child.process.stdin.end();
    expect(await child.ended).toEqual({ code: 1, signal: null });
    const reason = `Cannot listen at 127.0.0.1:${port}: the port is in use; choose another port, or 0 for any free port`;
    expect(child.messages).toEqual([
      { jsonrpc: "2.0", id: "first", error: { code: -32603, message: `The server cannot start: ${reason}` } },
    ]);
    expect(child.stderr).toBe(`toolwright: ${reason}\n`);
  });
});

test("a server without stdio does not wait for stdin before it fails", async () => {
  const child = serve("--http", "0", "--path", "nowhere");
  child.send({ jsonrpc: "2.0", id: 1, method: "ping" });
  expect((await child.ended).code).toBe(2);
  expect(child.lines).toEqual([]);
});
