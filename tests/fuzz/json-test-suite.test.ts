import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { createServer, RpcError } from "@toolwright/engine";
import { openMemoryConnection } from "@toolwright/engine/transport";
import { describe, expect, test } from "vitest";
import { parseJson, parseMessage } from "../../packages/engine/src/jsonrpc/messages.js";
import { LineReader } from "../../packages/engine/src/transports/line-framing.js";

const folder = fileURLToPath(new URL("../../../shared/json-test-suite/", import.meta.url));
const files = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(".json")) : [];
if (files.length === 0) console.warn("skipped: the JSON test suite (../shared/json-test-suite) is not here");

const MOST = 10 * 1024 * 1024;

/** The outcome of each line of some bytes: "read" for JSON, or the error code. */
function verdicts(bytes: Buffer): (number | "read")[] {
  const found: (number | "read")[] = [];
  const reader = new LineReader(MOST, {
    isBackpressured: false,
    onLine(text) {
      try {
        parseJson(text);
        found.push("read");
      } catch (error) {
        if (!(error instanceof RpcError)) throw error;
        found.push(error.code);
      }
    },
    onError: ({ code }) => void found.push(code),
  });
  reader.push(bytes);
  reader.end();
  return found;
}

/** A line is a message, so newlines between tokens are replaced by spaces. */
function oneLine(bytes: Buffer): Buffer {
  return Buffer.from(bytes.map((byte) => (byte === 10 ? 32 : byte)));
}

describe.skipIf(files.length === 0)("in the JSON test suite", () => {
  test.each(files.filter((name) => name.startsWith("y_")))("%s is accepted", (name) => {
    expect(verdicts(oneLine(readFileSync(folder + name)))).toEqual(["read"]);
  });

  // Nothing, a space and a byte order mark are blank lines, which are ignored.
  const blank = new Set(["n_single_space.json", "n_structure_no_data.json", "n_structure_UTF8_BOM_no_data.json"]);
  // Raw newlines inside a string end the line; spaces in their place would make it valid.
  const cut = new Set(["n_string_unescaped_newline.json"]);
  test.each(files.filter((name) => name.startsWith("n_")))("%s is rejected", (name) => {
    const bytes = readFileSync(folder + name);
    const found = verdicts(cut.has(name) ? bytes : oneLine(bytes));
    if (blank.has(name)) expect(found).toEqual([]);
    else expect(found.length > 0 && found.every((verdict) => verdict === -32700), String(found)).toBe(true);
  });

  test.each(files.filter((name) => name.startsWith("i_")))("%s is accepted or rejected", (name) => {
    const found = verdicts(oneLine(readFileSync(folder + name)));
    expect(found).toHaveLength(1);
    expect(["read", -32700]).toContain(found[0]);
  });

  test("any file as a message, cut anywhere, gives nothing but an RpcError", () => {
    for (const name of files) {
      for (const text of readFileSync(folder + name, "latin1")
        .slice(0, 2000)
        .split("\n")) {
        try {
          parseMessage(parseJson(text), text);
        } catch (error) {
          expect(error, name).toBeInstanceOf(RpcError);
        }
      }
    }
  });

  test("every file that is not blank gets exactly one response of a server, with a JSON-RPC code", async () => {
    const received: string[] = [];
    const connection = await openMemoryConnection(
      createServer({ name: "test", version: "1.0.0" }),
      (text) => void received.push(text),
    );
    for (const name of files) {
      received.length = 0;
      const text = oneLine(readFileSync(folder + name)).toString();
      if (text.trim() === "") continue;
      connection.send(text);
      expect(received, name).toHaveLength(1);
      const answer = JSON.parse(received[0] ?? "") as { error: { code: number } } | { error: { code: number } }[];
      const [{ error }] = (Array.isArray(answer) ? answer : [answer]) as [{ error: { code: number } }];
      expect([-32700, -32600], name).toContain(error.code);
    }
  });
});
