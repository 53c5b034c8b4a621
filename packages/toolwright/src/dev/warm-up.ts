import { isObject } from "@toolwright/kit/json";
import type { Code } from "./code.js";
import { readLists } from "./lists.js";
import type { Memory } from "./memory.js";
import { textIn } from "./messages.js";

/**
 * Brings code to the point at which it can take over: it has started, has shaken hands as the client did, and its lists are
 * known. Gives what the client should hear of. Throws why it cannot.
 */
export async function warmUp(code: Code, memory: Memory): Promise<string | undefined> {
  const { initialize, meta, agreed } = memory;
  if (initialize === undefined) {
    await askAnything(code, memory);
    if (meta) code.lists = await readLists(code, meta);
    return undefined;
  }
  const result = await code.ask("initialize", initialize);
  code.capabilities = isObject(result["capabilities"]) ? result["capabilities"] : {};
  if (memory.isInitialized) {
    code.say('{"jsonrpc":"2.0","method":"notifications/initialized"}');
    code.lists = await readLists(code, undefined);
  }
  const speaks = textIn(result, "protocolVersion");
  return speaks === agreed ? undefined : `it speaks ${speaks}, and the client agreed on ${agreed}: connect anew`;
}

/** Whatever it answers, it serves; also that it does not know the question. */
async function askAnything(code: Code, { meta }: Memory): Promise<void> {
  const asked = meta ? code.ask("server/discover", { _meta: meta }) : code.ask("ping");
  const result = await asked.catch((error: unknown) => {
    if ((error as Error).name === "Refusal") return undefined;
    throw error;
  });
  if (isObject(result?.["capabilities"])) code.capabilities = result["capabilities"];
}
