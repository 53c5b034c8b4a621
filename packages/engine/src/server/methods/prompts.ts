import { invalidParams, shortened } from "../../jsonrpc/errors.js";
import { isObject, type Json, type JsonObject } from "../../jsonrpc/json.js";
import { type Block, Content, type PromptMessage, text, user } from "../../protocol/content.js";
import type { Outcome } from "../../protocol/outcome.js";
import type { Revision } from "../../revisions/revision.js";
import type { Core } from "../core.js";
import { HandlerWork } from "../handler-work.js";
import type { RegisteredPrompt } from "../register-prompt.js";
import { isBlock } from "../tool-result.js";
import { type Method, readCursor } from "./method.js";

/** `prompts/list` */
export const listPrompts: Method = {
  run({ core, revision, request }) {
    return core.registry.prompts.page(revision, readCursor(request), core.identity);
  },
};

/** `prompts/get` */
export const getPrompt: Method = {
  run(exchange) {
    const { name, arguments: given = {} } = exchange.request.params ?? {};
    const entry = findPrompt(exchange.core, name);
    if (!isObject(given)) throw invalidParams('Invalid params: "arguments" must be an object');
    const odd = Object.entries(given).find(([, value]) => typeof value !== "string");
    if (odd !== undefined)
      throw invalidParams(
        `Invalid params: arguments.${shortened(odd[0])} must be a string, as all arguments of prompts`,
      );
    exchange.begin(
      new HandlerWork(exchange, {
        kind: "prompt",
        name: entry.prompt.name,
        timeoutMs: entry.timeoutMs,
        run: async (call) => {
          const reading = await entry.input.read(given);
          if (!reading.ok) throw wrongArguments(entry, reading.faults);
          return entry.prompt.run(reading.value as never, call);
        },
        write: (value) => writePrompt(exchange.revision, entry, value),
      }),
    );
    return undefined;
  },
};

/** The prompt that a request names. Throws `RpcError` where there is none. */
export function findPrompt({ registry }: Core, name: Json | undefined): RegisteredPrompt {
  if (typeof name !== "string") throw invalidParams('Invalid params: "name" must be a string');
  const entry = registry.prompts.find(name);
  if (entry !== undefined) return entry;
  const nearest = registry.prompts.nearestName(name);
  throw invalidParams(
    `Unknown prompt: ${shortened(name)}`,
    nearest === undefined ? undefined : { didYouMean: nearest },
  );
}

function wrongArguments({ prompt }: RegisteredPrompt, faults: readonly string[]): Error {
  const lines = [`The arguments of the prompt "${prompt.name}" are not right:`, ...faults.map((fault) => `- ${fault}`)];
  return invalidParams(lines.join("\n"), { faults: [...faults] });
}

function writePrompt(revision: Revision, { prompt }: RegisteredPrompt, value: unknown): Outcome {
  const messages: Json[] = messagesOf(value).map(({ role, content }) => ({
    role,
    content: revision.writeBlocks([content])[0] as JsonObject,
  }));
  return { kind: "plain", body: { description: prompt.description, messages } };
}

/** Reads what a prompt returned. Throws `TypeError` for what is no message. */
function messagesOf(value: unknown): readonly PromptMessage[] {
  if (typeof value === "string") return [user(text(value))];
  if (value instanceof Content) return value.blocks.map((block) => user(checked(block)));
  if (isObject(value) && typeof value["type"] === "string") return [user(checked(value))];
  // Copied, because holes in a list would be passed over.
  const list: readonly unknown[] = Array.isArray(value) ? [...value] : [value];
  return list.map((message) => {
    const { role, content } = isObject(message) ? message : {};
    if (role !== "user" && role !== "assistant") throw new TypeError("A prompt returned something that is no message");
    return { role, content: checked(content) };
  });
}

function checked(block: unknown): Block {
  if (!isBlock(block))
    throw new TypeError(`A prompt returned a block that is none: ${shortened(JSON.stringify(block) ?? "")}`);
  return block as Block;
}
