import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { Child } from "../stdio/child.js";
import { FIRST_MESSAGES, folderWith } from "./program.js";

const main = fileURLToPath(new URL("../../packages/toolwright/dist/main.js", import.meta.url));

/** Starts `toolwright serve`, in a folder of its own. */
function serve(...words: readonly string[]): Child {
  return new Child(process.execPath, [main, "serve", "--state", folderWith({}), ...words]);
}

describe.each(FIRST_MESSAGES)("toolwright serve tells a client of %s why it cannot serve:", (_revision, first) => {
  test("a word of its command line that it does not know", async () => {
    const child = serve("--sate=x");
    child.send(first);
    child.process.stdin.end();
    expect(await child.ended).toEqual({ code: 2, signal: null });
    const message = expect.stringMatching(/^The server cannot start: .*"--sate"/) as string;
    expect(child.messages).toEqual([{ jsonrpc: "2.0", id: "first", error: { code: -32603, message } }]);
    expect(child.stderr).toMatch(/^toolwright: .*"--sate"/);
  });

  test("a port that is taken", async () => {
    const taken = createServer().listen(0, "127.0.0.1");
    onTestFinished(() => void taken.close());
    await new Promise((resolve) => taken.once("listening", resolve));
    const { port } = taken.address() as AddressInfo;
    const child = serve("--stdio", "--http", String(port));
    child.send(first);
    child.process.stdin.end();
    expect(await child.ended).toEqual({ code: 1, signal: null });
    const reason = `Cannot listen at 127.0.0.1:${port}: the port is taken; choose another, or 0 for any`;
    expect(child.messages).toEqual([
      { jsonrpc: "2.0", id: "first", error: { code: -32603, message: `The server cannot start: ${reason}` } },
    ]);
    expect(child.stderr).toBe(`toolwright: ${reason}\n`);
  });
});

test("a server for others does not wait for a word on stdin before it fails", async () => {
  const child = serve("--http", "0", "--path", "nowhere");
  child.send({ jsonrpc: "2.0", id: 1, method: "ping" });
  expect((await child.ended).code).toBe(2);
  expect(child.lines).toEqual([]);
});
