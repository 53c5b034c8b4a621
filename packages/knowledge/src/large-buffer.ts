/** What is larger lies apart from what is small. */
const LARGE = 131_072;
/** What is larger than 32 MB goes back to the system at once. */
const ABOVE_32_MB = 2 ** 25 + 65_536;

/**
 * How large to make a buffer that is to hold so many bytes. An allocator that gets a buffer of some megabytes back keeps from then
 * on twice as much for each thread, whether it is needed or not; above 32 MB it never does. What is not written to takes no memory.
 */
export const bufferSize = (bytes: number): number => (bytes > LARGE ? Math.max(bytes, ABOVE_32_MB) : bytes);
