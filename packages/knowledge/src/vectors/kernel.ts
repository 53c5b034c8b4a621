import { readFileSync } from "node:fs";
import { builtFile } from "@toolwright/kit/files";

/** The build assembles it. */
const FILE = builtFile("vectors/kernel.wasm");

/** The part of WebAssembly that is used; Node has it, its types do not. */
interface WebAssemblyFace {
  Module: new (bytes: Uint8Array) => object;
  Instance: new (compiled: object) => { readonly exports: object };
}
const { Module, Instance } = (globalThis as unknown as { readonly WebAssembly: WebAssemblyFace }).WebAssembly;

/** The arithmetic of `kernel.wat` on a memory of its own; numbers are addresses in it. */
export interface Kernel {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number };
  dots(rows: number, scales: number, mask: number, count: number, stride: number, query: number, scores: number): void;
  signs(rows: number, count: number, stride: number, bits: number, width: number): void;
  distances(bits: number, mask: number, count: number, width: number, query: number, distances: number): void;
  sum(numbers: number, count: number, rows: number, scales: number, stride: number, sums: number): void;
}

/** The bytes of a page, in which memory grows. */
const PAGE = 65_536;
const MAX_PAGES = 65_536;

let compiled: object | undefined;

/** A new kernel, with a memory of `bytes` at least. */
export function createKernel(bytes: number): Kernel {
  compiled ??= new Module(readFileSync(FILE));
  const kernel = new Instance(compiled).exports as Kernel;
  reserve(kernel, bytes);
  return kernel;
}

/** Lets the memory of a kernel grow to `bytes` at least. Views of it that were made before are empty afterwards. */
export function reserve({ memory }: Kernel, bytes: number): void {
  const held = memory.buffer.byteLength / PAGE;
  const wanted = Math.ceil(bytes / PAGE);
  if (wanted <= held) return;
  if (wanted > MAX_PAGES)
    throw new RangeError(`Cannot keep ${bytes} bytes of vectors in memory: ${MAX_PAGES * PAGE} are the most`);
  // What is not written to takes no memory, and growing seldom saves time.
  memory.grow(Math.max(wanted, Math.min(Math.ceil(held * 1.5), MAX_PAGES)) - held);
}

/** The next multiple of what the kernel takes at a time. */
export const padded = (count: number): number => Math.ceil(count / 32) * 32;
