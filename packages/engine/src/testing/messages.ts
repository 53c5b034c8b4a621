import type { Json } from "../index.js";

/** A message in a conversation, from either side. */
export interface Spoken {
  readonly from: "client" | "server";
  readonly message: Json;
}
