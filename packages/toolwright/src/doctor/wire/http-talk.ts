import type { JsonObject } from "@toolwright/engine";
import { dress, type Era, introduce, type Speaker } from "../eras.js";
import { came } from "./evidence.js";
import type { HttpAnswer, HttpWire } from "./http-wire.js";
import { asObject, type Reply } from "./reply.js";
import type { Talk } from "./talk.js";

/** A conversation over HTTP, with what its session is called. */
export interface HttpTalk extends Talk {
  /** The headers that every further request has. */
  readonly headers: Readonly<Record<string, string>>;
}

/** What every POST has. */
export const JSON_HEADERS = {
  "content-type": "application/json",
  accept: "application/json, text/event-stream",
} as const;

/** Opens a conversation with a server that listens. */
export async function openHttp(wire: HttpWire, era: Era, speaker: Speaker): Promise<HttpTalk> {
  let next = 1000;
  const heard: JsonObject[] = [];
  const asked = new Set<unknown>();
  let headers: Record<string, string> = {};
  const ask = async (
    method: string,
    params: Readonly<Record<string, unknown>>,
    id: number | string,
  ): Promise<{ readonly reply: Reply; readonly answer: HttpAnswer }> => {
    const body = JSON.stringify({ jsonrpc: "2.0", id, method, params });
    const all = { ...JSON_HEADERS, ...headers, ...(!era.handshake && claimsOf(era, method, params)) };
    const answer = await wire.send({ headers: all, body, until: { id } });
    asked.add(id);
    heard.push(...answer.messages);
    return { reply: toReply(answer, id), answer };
  };
  const opened = era.handshake
    ? await ask("initialize", introduce(era.version, speaker), 1)
    : await ask("server/discover", dress(era, {}, speaker), 1);
  const agreed = asObject(opened.reply.message["result"])?.["protocolVersion"];
  const session = opened.answer.headers["mcp-session-id"];
  if (era.handshake)
    headers = {
      ...(session !== undefined && { "mcp-session-id": session }),
      ...(typeof agreed === "string" && { "mcp-protocol-version": agreed }),
    };
  const notify = async (method: string, params?: Readonly<Record<string, unknown>>): Promise<void> => {
    const body = JSON.stringify({ jsonrpc: "2.0", method, ...(params && { params }) });
    await wire.send({ headers: { ...JSON_HEADERS, ...headers }, body });
  };
  if (era.handshake && agreed !== undefined) await notify("notifications/initialized");
  return {
    era,
    opening: opened.reply,
    headers,
    ask: async (method, params = {}, id = next++) => (await ask(method, dress(era, params, speaker), id)).reply,
    notify,
    heard: () => heard,
    unmatched: () =>
      heard
        .filter((message) => !("method" in message) && !("error" in message) && !asked.has(message["id"]))
        .map((message) => came(JSON.stringify(message))),
    async close() {
      if (session !== undefined && era.handshake) await wire.send({ method: "DELETE", headers });
    },
  };
}

/** The headers in which a request that stands alone says what its body says. */
function claimsOf(era: Era, method: string, { name, uri }: Readonly<Record<string, unknown>>): Record<string, string> {
  const about = method === "resources/read" ? uri : name;
  return {
    "mcp-protocol-version": era.version,
    "mcp-method": method,
    ...(typeof about === "string" && { "mcp-name": about }),
  };
}

/** An answer over HTTP as one of the server, whatever its status. */
export function toReply(answer: HttpAnswer, id: number | string): Reply {
  const { status, reason, evidence, messages } = answer;
  // An error about a request may have lost its id.
  const message =
    messages.find((one) => one["id"] === id && !("method" in one)) ?? messages.find((one) => "error" in one);
  if (message !== undefined) return { kind: "answer", message, reason: "", status, evidence };
  if (status === 0) return { kind: "end", message: {}, reason, evidence };
  return { kind: "silence", message: {}, reason: `HTTP ${status} without an answer`, status, evidence };
}
