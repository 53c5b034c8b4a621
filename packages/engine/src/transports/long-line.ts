import { limitExceeded, type RpcError, withId } from "../jsonrpc/errors.js";

/** How much of either end of a line over the limit is kept, to find the id that its refusal should carry. */
export const EDGE = 1024;
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
  // Made where they are used, and no class of characters by its name: V8 would look these up at every start.
  const methodFirst = /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"method"/;
  const idFirst =
    /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*(0|[1-9]\d{0,14}|"[ !#-[\]-~\u{a0}-\u{fffc}\u{10000}-\u{10ffff}]{0,200}")\s*,\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"method"/u;
  const idLast =
    /,\s*"id"\s*:\s*(0|[1-9]\d{0,14}|"[ !#-[\]-~\u{a0}-\u{fffc}\u{10000}-\u{10ffff}]{0,200}")\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$/u;
  const found = (methodFirst.test(head) ? idLast.exec(tail) : idFirst.exec(head))?.[1];
  return found === undefined ? undefined : (JSON.parse(found) as string | number);
}
