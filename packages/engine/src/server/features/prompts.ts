import { invalidParams, truncate } from "../../jsonrpc/errors.js";
import { isObject, type Json, type JsonObject } from "../../jsonrpc/messages.js";
import { Content, type ContentBlock, type PromptMessage, text, user } from "../../protocol/content.js";
import type { Outcome } from "../../protocol/outcome.js";
import type { Revision } from "../../revisions/revision.js";
import type { RegisteredPrompt } from "../definitions/prompt.js";
import { oversizedArgument } from "../limits/argument-size.js";
import { type Method, readCursor } from "../method.js";
import { offeredTo, type RequestContext } from "../request-context.js";
import { invokeHandler } from "./invoke-handler.js";
import { isContentBlock } from "./tool-result.js";

/** `prompts/list` */
export const listPrompts: Method = {
  handle(ctx) {
    return offeredTo(ctx).prompts.page(ctx.revision, readCursor(ctx.request), ctx.state.serverInfoMeta);
  },
};

/** `prompts/get` */
export const getPrompt: Method = {
  handle(ctx) {
    const { name, arguments: args = {} } = ctx.request.params ?? {};
    const entry = findPrompt(ctx, name);
    if (!isObject(args)) throw invalidParams('Invalid params: "arguments" must be an object');
    const invalid = Object.keys(args).find((member) => typeof args[member] !== "string");
    if (invalid !== undefined) throw invalidParams(`Invalid params: arguments.${truncate(invalid)} must be a string`);
    const oversized = oversizedArgument(args, ctx.state.settings.limits, () => entry.input.jsonSchema);
    if (oversized !== undefined) throw invalidParams(`Invalid params: ${oversized}`);
    return invokeHandler(ctx, {
      kind: "prompt",
      name: entry.prompt.name,
      timeoutMs: entry.timeoutMs,
      async run(call) {
        const validated = await entry.input.validate(args);
        if (validated.ok) return entry.prompt.run(validated.value as never, call);
        const title = `The arguments of the prompt "${entry.prompt.name}" are invalid:`;
        const lines = [title, ...validated.issues.map((issue) => `- ${issue}`)];
        throw invalidParams(lines.join("\n"), { issues: [...validated.issues] });
      },
      write: (value) => toPromptResult(ctx.revision, entry, value),
    });
  },
};

/** The prompt that a request names. Throws `RpcError` if there is none. */
export function findPrompt(ctx: RequestContext, name: Json | undefined): RegisteredPrompt {
  if (typeof name !== "string") throw invalidParams('Invalid params: "name" must be a string');
  const { prompts } = offeredTo(ctx);
  const entry = prompts.byName.get(name);
  if (entry !== undefined) return entry;
  const nearest = prompts.nearestName(name);
  throw invalidParams(`Unknown prompt: ${truncate(name)}`, nearest === undefined ? undefined : { didYouMean: nearest });
}

function toPromptResult(revision: Revision, { prompt }: RegisteredPrompt, value: unknown): Outcome {
  const messages: Json[] = toPromptMessages(value).map(({ role, content }) => ({
    role,
    content: revision.writeBlocks([content])[0] as JsonObject,
  }));
  return { kind: "plain", body: { description: prompt.description, messages } };
}

/** The messages that a prompt returned. Throws `TypeError` for anything else. */
function toPromptMessages(value: unknown): readonly PromptMessage[] {
  if (typeof value === "string") return [user(text(value))];
  if (value instanceof Content) return value.blocks.map((block) => user(assertBlock(block)));
  if (isObject(value) && typeof value["type"] === "string") return [user(assertBlock(value))];
  // Copied, because `map` skips the holes of a sparse array.
  const list: readonly unknown[] = Array.isArray(value) ? [...value] : [value];
  return list.map((message) => {
    const { role, content } = isObject(message) ? message : {};
    if (role !== "user" && role !== "assistant") throw new TypeError("A prompt must return text, content or messages");
    return { role, content: assertBlock(content) };
  });
}

function assertBlock(block: unknown): ContentBlock {
  if (!isContentBlock(block))
    throw new TypeError(`A prompt returned an invalid content block: ${truncate(JSON.stringify(block) ?? "")}`);
  return block as ContentBlock;
}
