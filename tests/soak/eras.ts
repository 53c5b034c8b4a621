import type { Check, Message } from "./ledger.js";

const PREFIX = "io.modelcontextprotocol/";
const clientInfo = { name: "soak", version: "1.0.0" };

export const STATELESS = "2026-07-28";
/** Those in which a server can ask. */
const ASKING: ReadonlySet<string> = new Set([STATELESS, "2025-11-25", "2025-06-18"]);
export const OLDER = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"] as const;
export const canAsk = (revision: string): boolean => ASKING.has(revision);

/** The handshake. */
export const initialize = (id: string, protocolVersion: string): Message => ({
  jsonrpc: "2.0",
  id,
  method: "initialize",
  params: { protocolVersion, capabilities: { elicitation: {} }, clientInfo },
});

export const INITIALIZED: Message = { jsonrpc: "2.0", method: "notifications/initialized" };

/** What makes a request of one revision of the same words. */
export function toRequest(revision: string, id: string, method: string, params: Message, isTold: boolean): Message {
  const meta: Message = isTold ? { progressToken: id } : {};
  if (revision === STATELESS) {
    meta[`${PREFIX}protocolVersion`] = STATELESS;
    meta[`${PREFIX}clientCapabilities`] = { elicitation: {} };
    meta[`${PREFIX}clientInfo`] = clientInfo;
  }
  return { jsonrpc: "2.0", id, method, params: { ...params, ...(Object.keys(meta).length > 0 && { _meta: meta }) } };
}

/** Expects a question in the place of an answer, as the stateless revision has it. */
export const isQuestion: Check = ({ result }) =>
  (result as Message | undefined)?.["resultType"] === "input_required" ? undefined : "no question";

/** The request once more, with what the person has said, where its answer is a question; else undefined. */
export function nextRound(request: Message, answer: Message, id: string, said: Message): Message | undefined {
  if (isQuestion(answer) !== undefined) return undefined;
  const { requestState } = answer["result"] as Message;
  const params = { ...(request["params"] as Message), inputResponses: { word: said }, requestState };
  return { ...request, id, params };
}

export const cancelled = (requestId: string): Message => ({
  jsonrpc: "2.0",
  method: "notifications/cancelled",
  params: { requestId, reason: "enough" },
});
