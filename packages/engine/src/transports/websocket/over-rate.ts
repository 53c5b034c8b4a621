import { parse, readMessage } from "../../jsonrpc/codec.js";
import { limitExceeded, type RpcError, withId } from "../../jsonrpc/errors.js";

/** What a message over the rate is answered; undefined for notifications and answers, which nobody can be told to send again. */
export function refusalOverRate(text: string, retryAfterMs: number): RpcError | undefined {
  const error = limitExceeded("rate", `too many messages; try again in ${retryAfterMs} ms`, { retryAfterMs });
  try {
    const value = parse(text);
    if (Array.isArray(value)) return error;
    const { id, method } = readMessage(value, text);
    return method === undefined || id === undefined ? undefined : withId(error, id);
  } catch {
    // Of what cannot be read, it is the first thing to know.
    return error;
  }
}
