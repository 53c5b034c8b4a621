import { RpcError } from "../../jsonrpc/errors.js";
import type { Json, JsonObject } from "../../jsonrpc/json.js";
import { Content, text } from "../../protocol/content.js";
import { ToolError, type ToolResult } from "../../protocol/outcome.js";
import type { Call, SampleTool } from "../call.js";
import type { Exchange } from "../exchange.js";
import { type RegisteredTool, registerTool, toolKind } from "../register-tool.js";
import { forClient } from "../sanitise-failure.js";
import type { Tool } from "../tool.js";
import { failureResult, structuredResult, toolResult } from "../tool-result.js";
import { Unanswered } from "./asker.js";
import type { ToolUse } from "./sample-answer.js";

/** The tools that a model may use while it is sampled. */
export interface Toolbox {
  /** As they are shown to the model. */
  readonly shown: JsonObject[];
  /** Runs what the model wants to use, and gives the block that answers it. Failures are answers too. */
  use(use: ToolUse, call: Call): Promise<JsonObject>;
}

/** Settles tools for one sampling. Throws `TypeError` that names the tool and the fault. */
export function createToolbox(exchange: Exchange, tools: readonly SampleTool[]): Toolbox {
  const entries = new Map(
    tools.map((tool) => [tool.name, registerTool(tool as Tool, exchange.core.settings)] as const),
  );
  if (entries.size < tools.length) throw new TypeError("Cannot sample: two tools have the same name");
  return {
    shown: [...entries.values()].map((entry) => toolKind.write(exchange.revision, entry)),
    async use(use, call) {
      const entry = entries.get(use.name);
      const result =
        entry === undefined ? unknownTool(use, [...entries.keys()]) : await run(exchange, entry, use, call);
      return writeResult(exchange, use, result);
    },
  };
}

async function run(exchange: Exchange, entry: RegisteredTool, { input }: ToolUse, call: Call): Promise<ToolResult> {
  const { tool, output } = entry;
  try {
    const reading = await entry.input.read(input);
    if (!reading.ok)
      return failure(entry, `The arguments of "${tool.name}" are not right: ${reading.faults.join("; ")}`);
    const value: unknown = await tool.run(reading.value as never, call);
    if (output === undefined) return toolResult(value);
    const result = value instanceof Content ? toolResult(value) : structuredResult(value);
    const checked = await output.read(result.structured === undefined ? undefined : JSON.parse(result.structured));
    if (checked.ok) return result;
    throw new TypeError(`The result does not match the tool's output schema: ${checked.faults.join("; ")}`);
  } catch (error) {
    // An open question ends the whole run, and an error of the protocol the whole call.
    if (error instanceof Unanswered || error instanceof RpcError) throw error;
    if (error instanceof ToolError) return failure(entry, (await forClient(exchange, error)).message);
    exchange.core.settings.log({
      level: "error",
      message: `tool "${tool.name}" failed when the client's model used it`,
      requestId: exchange.id,
      error,
    });
    return failure(entry, "The tool failed unexpectedly.");
  }
}

const failure = ({ output }: RegisteredTool, message: string): ToolResult =>
  failureResult(message, {}, output !== undefined);

function unknownTool({ name }: ToolUse, known: readonly string[]): ToolResult {
  return failureResult(`There is no tool "${name}"; there are ${known.join(", ")}.`, {}, false);
}

function writeResult({ revision }: Exchange, { id }: ToolUse, result: ToolResult): JsonObject {
  const { content, isError } = result;
  const structured = revision.writeStructured(result.structured);
  return {
    type: "tool_result",
    toolUseId: id,
    content: [...revision.writeBlocks(typeof content === "string" ? [text(content)] : content)],
    ...(structured !== undefined && { structuredContent: JSON.parse(structured) as Json }),
    ...(isError && { isError }),
  };
}
