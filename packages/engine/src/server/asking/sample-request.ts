import type { Json, JsonObject } from "../../jsonrpc/json.js";
import { text } from "../../protocol/content.js";
import type { SampleMessage, SampleRequest } from "../call.js";
import { refuseUnknown } from "../known-members.js";
import { isBlock } from "../tool-result.js";

const MEMBERS: Readonly<Record<keyof SampleRequest, true>> = {
  prompt: true,
  messages: true,
  maxTokens: true,
  systemPrompt: true,
  temperature: true,
  stopSequences: true,
  modelPreferences: true,
  includeContext: true,
  metadata: true,
  tools: true,
  toolChoice: true,
  rounds: true,
};
const PASSED_ON = [
  "systemPrompt",
  "temperature",
  "stopSequences",
  "modelPreferences",
  "includeContext",
  "metadata",
] as const;
const BLOCKS = new Set(["text", "image", "audio"]);
const ROLES = new Set(["user", "assistant"]);
const CONTEXTS = new Set([undefined, "none", "thisServer", "allServers"]);
const CHOICES = new Set([undefined, "auto", "required", "none"]);

/** Gives the params of a sampling request, without tools. Throws `TypeError` that says what is wrong with it. */
export function writeSampleRequest(name: string, request: SampleRequest): JsonObject & { messages: JsonObject[] } {
  const fault = (reason: string) => new TypeError(`Cannot sample "${name}": ${reason}`);
  refuseUnknown(`sample "${name}"`, request, MEMBERS);
  const { prompt, messages, maxTokens = 1000, includeContext, toolChoice, rounds } = request;
  if ((prompt === undefined) === (messages === undefined)) throw fault("give a prompt, or messages");
  if (!(Number.isSafeInteger(maxTokens) && maxTokens > 0)) throw fault("maxTokens must be a positive whole number");
  if (!CONTEXTS.has(includeContext)) throw fault("includeContext must be none, thisServer or allServers");
  if (!CHOICES.has(toolChoice)) throw fault("toolChoice must be auto, required or none");
  if (rounds !== undefined && !(Number.isSafeInteger(rounds) && rounds > 0))
    throw fault("rounds must be a positive whole number");
  const said = messages ?? [{ role: "user", content: prompt }];
  if (!Array.isArray(said) || said.length === 0) throw fault("messages must be a list with at least one message");
  const passedOn = PASSED_ON.filter((member) => request[member] !== undefined);
  return {
    messages: (said as readonly SampleMessage[]).map((message, at) => writeMessage(message, at, fault)),
    maxTokens,
    ...Object.fromEntries(passedOn.map((member) => [member, request[member] as Json])),
  };
}

function writeMessage({ role, content }: SampleMessage, at: number, fault: (reason: string) => Error): JsonObject {
  const blocks = typeof content === "string" ? [text(content)] : [content].flat();
  if (!ROLES.has(role)) throw fault(`message ${at} must be of the role user or assistant`);
  const isRight = blocks.length > 0 && blocks.every((block) => isBlock(block) && BLOCKS.has(block.type));
  if (!isRight) throw fault(`message ${at} must hold text, images or sound, and nothing else`);
  return { role, content: oneOrMany(blocks) };
}

/** One block stands alone: that is how every revision knows it. */
export function oneOrMany(blocks: readonly JsonObject[]): Json {
  return blocks.length === 1 ? (blocks[0] as JsonObject) : [...blocks];
}
