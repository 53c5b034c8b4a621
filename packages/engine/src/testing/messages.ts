import type { Json } from "../index.js";

/** A message in a conversation, from either side. */
export interface Spoken {
  readonly from: "client" | "server";
  readonly message: Json;
}

/** The far end said no. */
export class RequestRefused extends Error {
  readonly code: number;
  readonly data: Json | undefined;

  constructor(error: { code: number; message: string; data?: Json }) {
    super(error.message);
    this.name = "RequestRefused";
    this.code = error.code;
    this.data = error.data;
  }
}
