import { roomFor } from "../large-buffer.js";

/** From here on a buffer lies apart: the one that it doubles to would leave too much behind. */
const APART = 2 ** 20;

/** Says that some work was refused a buffer: what it came to is not the whole truth. */
export interface LimitedWork<Result> {
  readonly result: Result;
  readonly wasRefused: boolean;
}

/**
 * Does some work for which this thread refuses buffers above a size. The limits that a thread is started with do not cover
 * buffers, and a PDF reader unpacks into ones that double until the memory is full.
 */
export async function withLimitedBuffers<Result>(
  mostBytes: number,
  work: () => Promise<Result>,
): Promise<LimitedWork<Result>> {
  const { Uint8Array: whole, DecompressionStream: native } = globalThis;
  let wasRefused = false;
  globalThis.Uint8Array = new Proxy(whole, {
    construct(target, parts: ConstructorParameters<Uint8ArrayConstructor>, newTarget) {
      const [first] = parts as readonly unknown[];
      if (typeof first === "number" && first > mostBytes) {
        wasRefused = true;
        throw new RangeError(`no buffer may have more than ${mostBytes} bytes`);
      }
      const room = typeof first === "number" && first > APART ? [new ArrayBuffer(roomFor(first)), 0, first] : parts;
      return Reflect.construct(target, room, newTarget) as Uint8Array<ArrayBuffer>;
    },
  });
  // It unpacks into buffers that nobody counts; without it, the PDF reader unpacks by itself.
  Reflect.deleteProperty(globalThis, "DecompressionStream");
  try {
    return { result: await work(), wasRefused };
  } finally {
    globalThis.Uint8Array = whole;
    globalThis.DecompressionStream = native;
  }
}
