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

import { broken, expectSame, type Target } from "./target.js";

/** Gives what comes of it; undefined where it is refused with an `RpcError`, which must be one that can be sent. */
function allow<Value>(work: () => Value): Value | undefined {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    if (!Number.isInteger(error.code)) throw broken(`an error with the code ${error.code}`);
    JSON.parse(
      encodeError(error.id, { code: error.code, message: error.message, ...(error.data && { data: error.data }) }),
    );
    return undefined;
  }
}

/** What a message says of itself must be sent back as it came. */
function checkMessage(value: Json, text: string): void {
  const message = allow(() => parseMessage(value, text));
  if (message === undefined) return;
  const { id } = message;
  // The id of an answer is only looked up, and never sent back.
  if (id === undefined || message.method === undefined) return;
  const written = encodeId(id);
  const back = JSON.parse(encodeResult(id, "{}")) as { id: unknown };
  expectSame("the id", back.id, typeof id === "bigint" ? Number(id) : id);
  if (typeof id === "bigint" && !text.includes(written.replace("-", ""))) throw broken(`no digits ${written}`);
}

/** Text is read or refused with an `RpcError`, and ids keep every digit. */
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
