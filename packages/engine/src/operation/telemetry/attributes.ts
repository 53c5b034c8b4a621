import type { LayerHost, LayerRequest } from "../../server/layers/layer.js";
import type { Ended } from "../ending.js";
import type { Attributes } from "./api.js";

/** How each transport is called by the conventions. */
const NETWORKS: Readonly<Record<string, Attributes>> = {
  stdio: { "network.transport": "pipe" },
  unix: { "network.transport": "unix" },
  http: { "network.transport": "tcp", "network.protocol.name": "http" },
  sse: { "network.transport": "tcp", "network.protocol.name": "http" },
  websocket: { "network.transport": "tcp", "network.protocol.name": "websocket" },
};

/** What a request is about, by the conventions: tools and prompts have names, resources a URI. */
interface Target {
  /** What may be part of a span's name or of a metric, because there are few of them. */
  readonly name: string | undefined;
  readonly attributes: Attributes;
}

function targetOf({ method, name, params }: LayerRequest, host: LayerHost): Target {
  if (name === undefined) return { name, attributes: {} };
  if (method === "tools/call" || method === "prompts/get") {
    const kind = method === "tools/call" ? "tool" : "prompt";
    return { name: host.offers(kind, name) ? name : undefined, attributes: { [`gen_ai.${kind}.name`]: name } };
  }
  if (params["uri"] !== name) return { name: undefined, attributes: {} };
  return { name: undefined, attributes: { "mcp.resource.uri": host.redaction.text(name) } };
}

/** What is told of a request before it is served. */
export interface Told {
  readonly spanName: string;
  /** Of which there are few, and which metrics have too. */
  readonly shared: Attributes;
  readonly span: Attributes;
}

/** What is told of a request before it is served. */
export function describe(request: LayerRequest, host: LayerHost): Told {
  const { id, method, revision, transport, sessionId } = request;
  const { name, attributes } = targetOf(request, host);
  const shared: Attributes = {
    "mcp.method.name": method,
    "mcp.protocol.version": revision,
    ...(method === "tools/call" && { "gen_ai.operation.name": "execute_tool" }),
    ...(name !== undefined && attributes),
    ...NETWORKS[transport],
  };
  const span: Attributes = {
    ...shared,
    ...attributes,
    "jsonrpc.request.id": String(id),
    ...(sessionId !== undefined && { "mcp.session.id": sessionId }),
  };
  return { spanName: name === undefined ? method : `${method} ${name}`, shared, span };
}

/** What is told of the end of a request; nothing where it went well. */
export function describeEnd({ ending, code }: Ended): Attributes {
  if (ending === "ok") return {};
  if (ending === "failed") return { "error.type": "tool_error" };
  if (ending === "cancelled" || code === undefined) return { "error.type": ending };
  return { "error.type": code, "rpc.response.status_code": code };
}
