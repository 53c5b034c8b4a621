import { isObject, type Json, type JsonObject } from "../../jsonrpc/json.js";
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
const isText = (value: unknown): boolean => typeof value === "string";
const isShare = (value: unknown): boolean =>
  value === undefined || (typeof value === "number" && value >= 0 && value <= 1);
const isHint = (value: unknown): boolean => isObject(value) && (value["name"] === undefined || isText(value["name"]));

/** What is passed on as it is: what it must be, and whether it is that. */
const PASSED_ON: Readonly<Record<string, readonly [words: string, fits: (value: unknown) => boolean]>> = {
  systemPrompt: ["text", isText],
  temperature: ["a number", Number.isFinite],
  stopSequences: ["a list of texts", (value) => Array.isArray(value) && value.every(isText)],
  modelPreferences: ["an object with hints and priorities from 0 to 1", isPreferences],
  includeContext: ["none, thisServer or allServers", (value) => CONTEXTS.has(value)],
  metadata: ["an object", isObject],
};
const BLOCKS = new Set(["text", "image", "audio"]);
const ROLES = new Set(["user", "assistant"]);
const CONTEXTS = new Set<unknown>(["none", "thisServer", "allServers"]);
const CHOICES = new Set<unknown>([undefined, "auto", "required", "none"]);

/** Gives the params of a sampling request, without tools. Throws `TypeError` that says what is wrong with it. */
export function writeSampleRequest(name: string, request: SampleRequest): JsonObject & { messages: JsonObject[] } {
  const fault = (reason: string) => new TypeError(`Cannot sample "${name}": ${reason}`);
  refuseUnknown(`sample "${name}"`, request, MEMBERS);
  const { prompt, messages, maxTokens = 1000, toolChoice, rounds } = request;
  if ((prompt === undefined) === (messages === undefined)) throw fault("give a prompt, or messages");
  if (!(Number.isSafeInteger(maxTokens) && maxTokens > 0)) throw fault("maxTokens must be a positive whole number");
  if (!CHOICES.has(toolChoice)) throw fault("toolChoice must be auto, required or none");
  if (rounds !== undefined && !(Number.isSafeInteger(rounds) && rounds > 0))
    throw fault("rounds must be a positive whole number");
  const said = messages ?? [{ role: "user", content: prompt }];
  if (!Array.isArray(said) || said.length === 0) throw fault("messages must be a list with at least one message");
  const passedOn = Object.entries(request).filter(([member, value]) => member in PASSED_ON && value !== undefined);
  for (const [member, value] of passedOn) {
    const [words, fits] = PASSED_ON[member] as [string, (value: unknown) => boolean];
    if (!fits(value)) throw fault(`${member} must be ${words}`);
  }
  return {
    messages: (said as readonly SampleMessage[]).map((message, at) => writeMessage(message, at, fault)),
    maxTokens,
    ...Object.fromEntries(passedOn),
  };
}

function isPreferences(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { hints, costPriority, speedPriority, intelligencePriority } = value;
  const isHinted = hints === undefined || (Array.isArray(hints) && hints.every(isHint));
  return isHinted && [costPriority, speedPriority, intelligencePriority].every(isShare);
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
