import type { Readable, Writable } from "node:stream";
import { parse } from "../jsonrpc/codec.js";
import type { Json, JsonObject } from "../jsonrpc/json.js";
import { LineReader } from "../transports/lines.js";
import type { Ear } from "./channel.js";
import { broken } from "./errors.js";

/** Reads messages, one a line. `noise` gets the lines that are none: some servers print to where they should not. */
export function hearLines(input: Readable, mostBytes: number, ear: Ear, noise: (line: string) => void): void {
  const reader = new LineReader(mostBytes, {
    isFull: false,
    line: (text) => {
      const message = parseOr(text, noise);
      if (message !== undefined) ear.hear(message);
    },
    fault: ({ message }) => {
      ear.broke(broken(`The server sent what cannot be read: ${message}`));
      input.destroy();
    },
  });
  input.on("data", (chunk: Buffer) => reader.push(chunk));
  input.on("end", () => reader.end());
}

/** Writes a message as a line. */
export function sayLine(output: Writable, message: JsonObject): void {
  if (output.writable) output.write(`${JSON.stringify(message)}\n`);
}

function parseOr(text: string, noise: (line: string) => void): Json | undefined {
  try {
    // A log may be JSON too.
    if (/"(?:jsonrpc|id|method)"/.test(text)) return parse(text);
  } catch {
    // It only looks like one.
  }
  noise(text);
  return undefined;
}
