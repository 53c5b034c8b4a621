import type { Implementation } from "../protocol/description.js";
import { SERVER_KEY } from "./meta-keys.js";

/** The member of a result's `_meta` that names the server, as text that is written once. */
export function writeIdentity(info: Implementation): string {
  return `"${SERVER_KEY}":${JSON.stringify(info)}`;
}
