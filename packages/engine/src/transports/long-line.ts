import { limitExceeded, type RpcError, withId } from "../jsonrpc/errors.js";

/** How much of either end of a line over the limit is kept, to find the id that its refusal should carry. */
export const EDGE = 1024;
const METHOD_FIRST = /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"method"/;
const ID_FIRST =
  /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*(0|[1-9]\d{0,14}|"[^"\\\p{Cc}\u{fffd}]{0,200}")\s*,\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"method"/u;
const ID_LAST =
  /,\s*"id"\s*:\s*(0|[1-9]\d{0,14}|"[^"\\\p{Cc}\u{fffd}]{0,200}")\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$/u;

/** The refusal of a line over the limit, with the id that its first or last bytes give away. */
export function tooLong(size: number, most: number, head: Buffer, tail: Buffer): RpcError {
  const error = limitExceeded("messageBytes", `the message has ${size} bytes; the limit is ${most}`, {
    bytes: size,
    most,
  });
  return withId(error, idAtEdge(head.toString(), tail.toString()));
}

/** The id of a request of which only the edges are left, where it certainly is its own; that of an answer names no request. */
function idAtEdge(head: string, tail: string): string | number | undefined {
  const found = (METHOD_FIRST.test(head) ? ID_LAST.exec(tail) : ID_FIRST.exec(head))?.[1];
  return found === undefined ? undefined : (JSON.parse(found) as string | number);
}
