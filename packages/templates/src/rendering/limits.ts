/** The longest body of a template, in bytes. */
export const MOST_BODY = 64 * 1024;
