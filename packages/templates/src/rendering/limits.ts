/** The maximum size of a body, with its includes, in bytes. */
export const MAX_BODY_BYTES = 64 * 1024;
