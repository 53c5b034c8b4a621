import { RpcError } from "../../../packages/engine/src/jsonrpc/errors.js";
import {
  arrayElementTexts,
  encodeError,
  encodeId,
  encodeResult,
  type Json,
  parseJson,
  parseMessage,
} from "../../../packages/engine/src/jsonrpc/messages.js";

import { expectSame, type Target, violation } from "./target.js";

/** The result; undefined if it is rejected with an `RpcError` that can be sent. */
function allow<Value>(work: () => Value): Value | undefined {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    if (!Number.isInteger(error.code)) throw violation(`an error with the code ${error.code}`);
    JSON.parse(
      encodeError(error.id, { code: error.code, message: error.message, ...(error.data && { data: error.data }) }),
    );
    return undefined;
  }
}

/** The id must be sent back unchanged. */
function checkMessage(value: Json, text: string): void {
  const message = allow(() => parseMessage(value, text));
  if (message === undefined) return;
  const { id } = message;
  // The id of a response is only looked up, and never sent back.
  if (id === undefined || message.method === undefined) return;
  const written = encodeId(id);
  const back = JSON.parse(encodeResult(id, "{}")) as { id: unknown };
  expectSame("the id", back.id, typeof id === "bigint" ? Number(id) : id);
  if (typeof id === "bigint" && !text.includes(written.replace("-", ""))) throw violation(`no digits ${written}`);
}

/** Text is read or rejected with an `RpcError`, and ids keep every digit. */
export const codec: Target = (input) => {
  const value = allow(() => parseJson(input));
  if (value === undefined) return;
  checkMessage(value, input);
  if (!Array.isArray(value)) return;
  const texts = arrayElementTexts(input);
  expectSame(
    "elements",
    texts.map((text) => JSON.parse(text) as Json),
    value,
  );
  for (const [at, one] of value.entries()) checkMessage(one, texts[at] ?? "");
};
