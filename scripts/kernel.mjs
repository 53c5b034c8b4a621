// Assembles the WebAssembly for vector arithmetic from its text format.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import loadWabt from "wabt";

const SOURCE = "packages/knowledge/src/vectors/kernel.wat";

/** Writes `kernel.wasm` into `folder`. */
export async function packKernel(root, folder) {
  const wabt = await loadWabt();
  const kernel = wabt.parseWat(SOURCE, readFileSync(path.join(root, SOURCE), "utf8"), { simd: true });
  try {
    kernel.validate();
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, "kernel.wasm"), kernel.toBinary({}).buffer);
  } finally {
    kernel.destroy();
  }
}
