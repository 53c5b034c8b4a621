import type { Check, Message } from "./request-tracker.js";

const PREFIX = "io.modelcontextprotocol/";
const clientInfo = { name: "soak", version: "1.0.0" };

export const STATELESS = "2026-07-28";
/** Revisions in which a server can ask for input. */
const ELICITING: ReadonlySet<string> = new Set([STATELESS, "2025-11-25", "2025-06-18"]);
export const OLDER = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"] as const;
export const supportsElicitation = (revision: string): boolean => ELICITING.has(revision);

/** The `initialize` request. */
export const initialize = (id: string, protocolVersion: string): Message => ({
  jsonrpc: "2.0",
  id,
  method: "initialize",
  params: { protocolVersion, capabilities: { elicitation: {} }, clientInfo },
});

export const INITIALIZED: Message = { jsonrpc: "2.0", method: "notifications/initialized" };

/** A request in the form that the revision prescribes. */
export function toRequest(
  revision: string,
  id: string,
  method: string,
  params: Message,
  withProgress: boolean,
): Message {
  const meta: Message = withProgress ? { progressToken: id } : {};
  if (revision === STATELESS) {
    meta[`${PREFIX}protocolVersion`] = STATELESS;
    meta[`${PREFIX}clientCapabilities`] = { elicitation: {} };
    meta[`${PREFIX}clientInfo`] = clientInfo;
  }
  return { jsonrpc: "2.0", id, method, params: { ...params, ...(Object.keys(meta).length > 0 && { _meta: meta }) } };
}

/** Expects an input request instead of a result, as in the stateless revision. */
export const isInputRequest: Check = ({ result }) =>
  (result as Message | undefined)?.["resultType"] === "input_required" ? undefined : "no question";

/** The retried request with the user's answer if the response asks for input; otherwise undefined. */
export function retryWithInput(request: Message, response: Message, id: string, answer: Message): Message | undefined {
  if (isInputRequest(response) !== undefined) return undefined;
  const { requestState } = response["result"] as Message;
  const params = { ...(request["params"] as Message), inputResponses: { word: answer }, requestState };
  return { ...request, id, params };
}

export const cancelled = (requestId: string): Message => ({
  jsonrpc: "2.0",
  method: "notifications/cancelled",
  params: { requestId, reason: "enough" },
});
