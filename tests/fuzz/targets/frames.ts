import { createRequire } from "node:module";
import type { Writable } from "node:stream";
import { FrameReader } from "../../../packages/engine/src/transports/websocket/frames.js";
import { expectSame, splitIntoChunks, type Target, violation } from "./target.js";

const MOST = 2000;

/** The frame reader of `ws`, imported by file: its types do not mention it, and Bun replaces `ws` by its own. */
interface Receiver extends Writable {
  on(event: string, readFrames: (...args: never[]) => void): this;
}
const createReceiver = createRequire(import.meta.url)("../../../node_modules/ws/lib/receiver.js") as new (
  options: object,
) => Receiver;

/** What `ws` receives up to the first error. */
function listen(received: string[]): Receiver {
  const receiver = new createReceiver({ isServer: true, maxPayload: MOST });
  receiver.on("message", (frame: Buffer, isBinary: boolean) => {
    received.push(`${isBinary ? "binary" : "text"} ${frame.toString("latin1")}`);
  });
  for (const kind of ["ping", "pong"])
    receiver.on(kind, (frame: Buffer) => void received.push(`${kind} ${frame.toString("latin1")}`));
  receiver.on("conclude", () => void received.push("end"));
  receiver.on("error", () => void received.push("end"));
  return receiver;
}

async function readWithWs(stream: string): Promise<string[]> {
  const received: string[] = [];
  const receiver = listen(received);
  receiver.write(Buffer.from(stream, "latin1"));
  await new Promise((resolve) => setImmediate(resolve));
  return received;
}

async function readWithEngine(chunks: readonly string[]): Promise<string[]> {
  const received: string[] = [];
  const receiver = listen(received);
  const reader = new FrameReader(MOST, {
    onMessage: (text) =>
      void received.push(text === undefined ? "end" : `text ${Buffer.from(text).toString("latin1")}`),
    onOtherBytes: (bytes) => void (receiver.destroyed || receiver.write(Buffer.from(bytes))),
  });
  for (const chunk of chunks) reader.push(Buffer.from(chunk, "latin1"));
  await new Promise((resolve) => setImmediate(resolve));
  return received;
}

/** Ends an incomplete frame: an error in half a header may be found sooner or later. */
const ENDING = "\0".repeat(20);

/**
 * Any chunking of any frames is received as `ws` receives it as a whole, up to the first error or close frame, and each
 * error ends the connection. `ws` reports an error later, so it may still receive what follows.
 */
export const frames: Target = async (begun) => {
  const input = begun + ENDING;
  const expected = await readWithWs(input);
  const isOver = expected.includes("end");
  const before = isOver ? expected.slice(0, expected.indexOf("end")) : expected;
  for (const chunks of [[input], splitIntoChunks(input)]) {
    const received = await readWithEngine(chunks);
    expectSame("before the end", isOver ? received.slice(0, before.length) : received, before);
    if (isOver && !received.includes("end")) throw violation("an error was ignored");
  }
};
