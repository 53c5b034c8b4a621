import { isObject, type Json, type JsonObject } from "../../jsonrpc/json.js";
import type { Sample } from "../call.js";
import { isBlock } from "../tool-result.js";
import type { AnswerReading } from "./asker.js";

/** A model's wish to use a tool. */
export interface ToolUse extends JsonObject {
  type: "tool_use";
  id: string;
  name: string;
  input: JsonObject;
}

const BLOCKS = new Set<unknown>(["text", "image", "audio"]);

/** Reads what a client's model said. Where it was offered no tools, it cannot use any. */
export function readSample(answer: Json, hasTools: boolean): AnswerReading<Sample> {
  if (!isObject(answer)) return fault("it is no object");
  const { role, model, stopReason } = answer;
  if (role !== "assistant" && role !== "user") return fault("its role is neither assistant nor user");
  if (typeof model !== "string") return fault("it does not name the model");
  if (stopReason !== undefined && typeof stopReason !== "string") return fault("its stopReason is no text");
  const content = [answer["content"]].flat() as readonly JsonObject[];
  const wrong = content.findIndex((block) => !isToolUse(block) && !(isBlock(block) && BLOCKS.has(block["type"])));
  if (wrong !== -1) return fault(`block ${wrong} of its content is none that a model gives`);
  const uses = usesOf(content);
  if (uses.length > 0 && !hasTools) return fault("it uses a tool, and none was offered");
  if (new Set(uses.map(({ id }) => id)).size < uses.length) return fault("it uses two tools under one id");
  const text = content.map((block) => (typeof block["text"] === "string" ? block["text"] : "")).join("");
  return { value: { role, content, text, model, stopReason } };
}

/** The tools that a model wants to use. */
export function usesOf(content: readonly JsonObject[]): ToolUse[] {
  return content.filter(isToolUse);
}

function isToolUse(block: Json): block is ToolUse {
  return (
    isObject(block) &&
    block["type"] === "tool_use" &&
    typeof block["id"] === "string" &&
    typeof block["name"] === "string" &&
    isObject(block["input"])
  );
}

const fault = (reason: string): { fault: string } => ({
  fault: `The answer of the client's model could not be read: ${reason}.`,
});
