/** What an author has written that a client can set going. */
export type WorkKind = "tool" | "prompt" | "resource" | "completion";
