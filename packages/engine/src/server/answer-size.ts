import type { JsonObject } from "../jsonrpc/json.js";

/** Why an answer is too large to leave: it would cost the client its connection. Undefined where it is not. */
export function sizeFault(answer: string, most: number): { message: string; details: JsonObject } | undefined {
  // No character takes more than three bytes, so most answers need no count.
  if (answer.length * 3 <= most) return undefined;
  const bytes = Buffer.byteLength(answer);
  if (bytes <= most) return undefined;
  const message = `The result has ${bytes} bytes; the limit is ${most}. Ask for less at once.`;
  return { message, details: { limit: "messageBytes", bytes, most } };
}
