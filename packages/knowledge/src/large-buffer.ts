/** Allocations above this size are mapped separately by glibc (its default `M_MMAP_THRESHOLD`). */
const LARGE = 131_072;
/** Allocators return buffers of more than 32 MB to the system immediately. */
const ABOVE_32_MB = 2 ** 25 + 65_536;

/**
 * Returns the size to allocate for a buffer of `bytes` bytes. glibc raises its mmap threshold when a buffer of up to 32 MB is
 * freed and then keeps that memory per thread; it never does so above 32 MB. Unused pages of the larger buffer take no memory.
 */
export const bufferSize = (bytes: number): number => (bytes > LARGE ? Math.max(bytes, ABOVE_32_MB) : bytes);
