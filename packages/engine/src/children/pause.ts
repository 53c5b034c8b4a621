/** Stands still for so long: for the moments before an exit, when nothing that waits would ever go on. */
export function pauseNow(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
