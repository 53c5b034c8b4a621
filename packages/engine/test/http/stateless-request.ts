import type { Headers, Message, Served } from "./serve.js";

const PREFIX = "io.modelcontextprotocol/";

/** The body and the headers of a request that stands alone. */
export function modern(
  method: string,
  params: Message = {},
  meta: Message = {},
): { readonly body: Message; readonly headers: Headers } {
  const name = params["name"] ?? params["uri"] ?? params["taskId"];
  return {
    body: {
      jsonrpc: "2.0",
      id: 1,
      method,
      params: {
        ...params,
        _meta: { [`${PREFIX}protocolVersion`]: "2026-07-28", [`${PREFIX}clientCapabilities`]: {}, ...meta },
      },
    },
    headers: {
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": method,
      ...(typeof name === "string" && { "mcp-name": name }),
    },
  };
}

/** Sends a request that stands alone. */
export function sendModern(
  at: Served,
  method: string,
  params: Message = {},
  meta: Message = {},
  headers: Headers = {},
  signal?: AbortSignal,
): Promise<Response> {
  const { body, headers: own } = modern(method, params, meta);
  return at.post(body, { ...own, ...headers }, signal);
}

/** Calls a tool in a request that stands alone. */
export const callModern = (
  at: Served,
  name: string,
  args: Message = {},
  meta: Message = {},
  headers: Headers = {},
  signal?: AbortSignal,
): Promise<Response> => sendModern(at, "tools/call", { name, arguments: args }, meta, headers, signal);
