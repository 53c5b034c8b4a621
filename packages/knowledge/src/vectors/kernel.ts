import { readFileSync } from "node:fs";
import { builtFile } from "@toolwright/kit/files";

/** Assembled by the build. */
const FILE = builtFile("vectors/kernel.wasm");

/** The subset of WebAssembly that is used. Node.js provides it, but its type definitions do not. */
interface WebAssemblyFace {
  Module: new (bytes: Uint8Array) => object;
  Instance: new (compiled: object) => { readonly exports: object };
}
const { Module, Instance } = (globalThis as unknown as { readonly WebAssembly: WebAssemblyFace }).WebAssembly;

/** The functions of `kernel.wat` with their own memory. Numbers are addresses in that memory. */
export interface Kernel {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number };
  dots(rows: number, scales: number, mask: number, count: number, stride: number, query: number, scores: number): void;
  signs(rows: number, count: number, stride: number, bits: number, width: number): void;
  distances(bits: number, mask: number, count: number, width: number, query: number, distances: number): void;
  sum(numbers: number, count: number, rows: number, scales: number, stride: number, sums: number): void;
}

/** The size of a WebAssembly memory page in bytes. */
const PAGE = 65_536;
const MAX_PAGES = 65_536;

let compiled: object | undefined;

/** Creates a kernel with at least `bytes` of memory. */
export function createKernel(bytes: number): Kernel {
  compiled ??= new Module(readFileSync(FILE));
  const kernel = new Instance(compiled).exports as Kernel;
  reserve(kernel, bytes);
  return kernel;
}

/** Grows the memory of a kernel to at least `bytes`. This detaches existing views of the memory. */
export function reserve({ memory }: Kernel, bytes: number): void {
  const pages = memory.buffer.byteLength / PAGE;
  const wanted = Math.ceil(bytes / PAGE);
  if (wanted <= pages) return;
  if (wanted > MAX_PAGES)
    throw new RangeError(`Cannot keep ${bytes} bytes of vectors in memory: the maximum is ${MAX_PAGES * PAGE}`);
  // Untouched pages use no memory, and few large steps are faster than many small ones.
  memory.grow(Math.max(wanted, Math.min(Math.ceil(pages * 1.5), MAX_PAGES)) - pages);
}

/** Rounds up to a multiple of the number of components that the kernel processes at once. */
export const padded = (count: number): number => Math.ceil(count / 32) * 32;
