import { RpcError } from "../../jsonrpc/errors.js";
import { isObject, type Json, type JsonObject } from "../../jsonrpc/messages.js";
import { text } from "../../protocol/content.js";
import { type InputRequest, ToolError, type ToolOutcome, toModelMessage } from "../../protocol/outcome.js";
import type { Call, SamplingMessage, SamplingRequest, SamplingResult } from "../call.js";
import { type RegisteredTool, registerTool, type Tool, toolKind } from "../definitions/tool.js";
import { omitUndefined } from "../definitions/validation.js";
import { redactError } from "../logging/redaction.js";
import type { RequestContext } from "../request-context.js";
import { inputRequestsOf, type ParsedResponse } from "./elicitation/input-requests.js";
import { InputRequiredError } from "./elicitation/request-state.js";
import { errorResult, isContentBlock, toToolResult, toValidatedResult } from "./tool-result.js";

const BLOCK_TYPES = new Set<unknown>(["text", "image", "audio"]);

const isSamplingBlock = (block: JsonObject): boolean => isContentBlock(block) && BLOCK_TYPES.has(block["type"]);

/** The params of a sampling request, without tools. The client validates the options. */
function toCreateMessageParams(name: string, request: SamplingRequest): JsonObject & { messages: JsonObject[] } {
  const { prompt, messages, maxTokens = 1000, tools: _, toolChoice: _choice, maxRounds: _rounds, ...rest } = request;
  if ((prompt === undefined) === (messages === undefined))
    throw new TypeError(`Cannot sample "${name}": specify either prompt or messages`);
  const source: readonly SamplingMessage[] = messages ?? [{ role: "user", content: prompt }];
  const written = source.map(({ role, content }, index) => {
    const blocks = typeof content === "string" ? [text(content)] : [content].flat();
    if (blocks.length === 0 || !blocks.every(isSamplingBlock))
      throw new TypeError(`Cannot sample "${name}": message ${index} must consist of text, image or audio blocks`);
    return { role, content: unwrapSingle(blocks) };
  });
  return { messages: written, maxTokens, ...(omitUndefined(rest) as JsonObject) };
}

/** A single block is not wrapped in an array: every revision supports that form. */
function unwrapSingle(blocks: readonly JsonObject[]): Json {
  return blocks.length === 1 ? (blocks[0] as JsonObject) : [...blocks];
}

/** A content block with which the model uses a tool. */
interface ToolUseBlock extends JsonObject {
  type: "tool_use";
  id: string;
  name: string;
  input: JsonObject;
}

/** Parses the response of the client's model, which may use tools only if it was offered some. */
function parseCreateMessageResult(response: Json, hasTools: boolean): ParsedResponse<SamplingResult> {
  const { role, model, stopReason, content: blocks } = isObject(response) ? response : {};
  const invalid = (reason: string) => ({ issue: `The client's sampling result is invalid: ${reason}.` });
  if (role !== "assistant" && role !== "user") return invalid("its role must be assistant or user");
  if (typeof model !== "string") return invalid("its model must be a string");
  if (stopReason !== undefined && typeof stopReason !== "string") return invalid("its stopReason must be a string");
  const content = [blocks].flat() as JsonObject[];
  if (!content.every((block) => isToolUse(block) || isSamplingBlock(block)))
    return invalid("its content has an invalid block");
  const toolUses = content.filter(isToolUse);
  if (toolUses.length > 0 && !hasTools) return invalid("it uses a tool, but none was offered");
  if (new Set(toolUses.map(({ id }) => id)).size < toolUses.length)
    return invalid("it uses two tools with the same id");
  const answer = content.map((block) => (typeof block["text"] === "string" ? block["text"] : "")).join("");
  return { value: { role, content, text: answer, model, stopReason } };
}

function isToolUse(block: Json): block is ToolUseBlock {
  return (
    isObject(block) &&
    block["type"] === "tool_use" &&
    typeof block["id"] === "string" &&
    typeof block["name"] === "string" &&
    isObject(block["input"])
  );
}

/** The call that a sampling request belongs to. */
interface SamplingContext {
  readonly ctx: RequestContext;
  /** The call that is passed to the tools. */
  readonly call: Call;
}

/** Requests a message from the client's model and runs the tools that it uses until it answers. */
export async function createMessage(
  sampling: SamplingContext,
  name: string,
  request: SamplingRequest,
): Promise<SamplingResult> {
  if (!isObject(request)) throw new TypeError(`Cannot sample "${name}": the request must be an object`);
  const { ctx } = sampling;
  const { settings } = ctx.state;
  const { tools = [], toolChoice = "auto", maxRounds = settings.limits.samplingRounds } = request;
  const { messages, ...params } = toCreateMessageParams(name, request);
  const entries = new Map(tools.map((tool) => [tool.name, registerTool(tool as Tool, settings)] as const));
  if (entries.size < tools.length) throw new TypeError("Cannot sample: two tools have the same name");
  const definitions = [...entries.values()].map((entry) => toolKind.write(ctx.revision, entry));
  for (let round = 0; ; round += 1) {
    const mode = round === maxRounds ? "none" : round > 0 && toolChoice === "required" ? "auto" : toolChoice;
    const inputRequest: InputRequest = {
      method: "sampling/createMessage",
      params: {
        messages: [...messages],
        ...params,
        ...(entries.size > 0 && { tools: definitions, toolChoice: { mode } }),
      },
    };
    const requestName = round === 0 ? name : `${name}.${round + 1}`;
    const result = await inputRequestsOf(ctx).request(requestName, inputRequest, (response) =>
      parseCreateMessageResult(response, entries.size > 0),
    );
    const toolUses = result.content.filter(isToolUse);
    if (toolUses.length === 0) return result;
    if (mode === "none")
      throw new ToolError(`The client's model still uses tools after ${round} rounds, where it had to answer.`, {
        code: "TOO_MANY_ROUNDS",
        details: { limit: "samplingRounds" },
      });
    const results: JsonObject[] = [];
    // One after the other: a request that a tool sends to the client must end the run before the next tool starts.
    for (const [index, toolUse] of toolUses.entries()) {
      if (ctx.isDone) throw new InputRequiredError("the call has ended");
      const basis = [inputRequest.params, toolUse];
      const block = await inputRequestsOf(ctx).memoize(`${requestName}#${index}`, basis, () =>
        useTool(sampling, entries, toolUse),
      );
      results.push(block);
    }
    messages.push(
      { role: "assistant", content: unwrapSingle(result.content) },
      { role: "user", content: unwrapSingle(results) },
    );
  }
}

/** Runs a tool that the model uses, and returns the content block with its result. */
async function useTool(
  sampling: SamplingContext,
  entries: ReadonlyMap<string, RegisteredTool>,
  { id, name, input }: ToolUseBlock,
): Promise<JsonObject> {
  const entry = entries.get(name);
  const unknown = `There is no tool "${name}"; there are ${[...entries.keys()].join(", ")}.`;
  const result = entry === undefined ? errorResult(unknown, {}, false) : await runTool(sampling, entry, input);
  const { content, isError } = result;
  const { revision } = sampling.ctx;
  const structured = revision.writeStructuredContent(result.structured);
  return {
    type: "tool_result",
    toolUseId: id,
    content: [...revision.writeBlocks(typeof content === "string" ? [text(content)] : content)],
    ...(structured !== undefined && { structuredContent: JSON.parse(structured) as Json }),
    ...(isError && { isError }),
  };
}

/** Runs a tool. A failure is a result with `isError`. */
async function runTool({ ctx, call }: SamplingContext, entry: RegisteredTool, input: JsonObject): Promise<ToolOutcome> {
  const { tool, output } = entry;
  const failed = (message: string) => errorResult(message, {}, output !== undefined);
  try {
    const parsed = await entry.input.validate(input);
    if (!parsed.ok) return failed(`Invalid arguments for "${tool.name}": ${parsed.issues.join("; ")}`);
    const value: unknown = await tool.run(parsed.value as never, call);
    return output === undefined ? toToolResult(value) : await toValidatedResult(value, output);
  } catch (error) {
    // A pending request ends the run of the handler, and a JSON-RPC error ends the call.
    if (error instanceof InputRequiredError || error instanceof RpcError) throw error;
    const { log, redaction } = ctx.state.settings;
    if (error instanceof ToolError) return failed(toModelMessage(redactError(redaction, error)));
    const message = `tool "${tool.name}" failed when the client's model used it`;
    log({ level: "error", message, requestId: ctx.id, error });
    return failed("The tool failed unexpectedly.");
  }
}
