/** How a call ended: well, with a failure that the model sees, with an error of the protocol, or by being cancelled. */
export type Ending = "ok" | "failed" | "refused" | "cancelled";
