import { createRequire } from "node:module";
import type { Writable } from "node:stream";
import { FrameReader } from "../../../packages/engine/src/transports/websocket/frames.js";
import { broken, cut, expectSame, type Target } from "./target.js";

const MOST = 2000;

/** The reader of frames of `ws`, by its file: its types do not mention it, and in the place of `ws` Bun puts its own. */
interface Receiver extends Writable {
  on(event: string, hear: (...args: never[]) => void): this;
}
const createReceiver = createRequire(import.meta.url)("../../../node_modules/ws/lib/receiver.js") as new (
  options: object,
) => Receiver;

/** What `ws` hears, up to the first fault. */
function listen(heard: string[]): Receiver {
  const receiver = new createReceiver({ isServer: true, maxPayload: MOST });
  receiver.on("message", (frame: Buffer, isBinary: boolean) => {
    heard.push(`${isBinary ? "binary" : "text"} ${frame.toString("latin1")}`);
  });
  for (const kind of ["ping", "pong"])
    receiver.on(kind, (frame: Buffer) => void heard.push(`${kind} ${frame.toString("latin1")}`));
  receiver.on("conclude", () => void heard.push("end"));
  receiver.on("error", () => void heard.push("end"));
  return receiver;
}

async function hearAlone(stream: string): Promise<string[]> {
  const heard: string[] = [];
  const receiver = listen(heard);
  receiver.write(Buffer.from(stream, "latin1"));
  await new Promise((resolve) => setImmediate(resolve));
  return heard;
}

async function hearTogether(chunks: readonly string[]): Promise<string[]> {
  const heard: string[] = [];
  const receiver = listen(heard);
  const reader = new FrameReader(MOST, {
    onMessage: (text) => void heard.push(text === undefined ? "end" : `text ${Buffer.from(text).toString("latin1")}`),
    onOtherBytes: (bytes) => void (receiver.destroyed || receiver.write(Buffer.from(bytes))),
  });
  for (const chunk of chunks) reader.push(Buffer.from(chunk, "latin1"));
  await new Promise((resolve) => setImmediate(resolve));
  return heard;
}

/** Ends whatever frame has begun: a fault of half a head may be found sooner or later. */
const ENDING = "\0".repeat(20);

/**
 * Any cutting of any frames is heard as `ws` alone hears it whole, up to the first fault or the goodbye, and each fault ends it. `ws`
 * tells of a fault a moment later, so that what stands right behind it may be heard before.
 */
export const frames: Target = async (begun) => {
  const input = begun + ENDING;
  const expected = await hearAlone(input);
  const isOver = expected.includes("end");
  const before = isOver ? expected.slice(0, expected.indexOf("end")) : expected;
  for (const chunks of [[input], cut(input)]) {
    const heard = await hearTogether(chunks);
    expectSame("before the end", isOver ? heard.slice(0, before.length) : heard, before);
    if (isOver && !heard.includes("end")) throw broken("a fault was passed over");
  }
};
