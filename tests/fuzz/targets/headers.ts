import { RpcError } from "../../../packages/engine/src/jsonrpc/errors.js";
import type { JsonRpcRequest } from "../../../packages/engine/src/jsonrpc/messages.js";
import { REVISIONS } from "../../../packages/engine/src/revisions/negotiation.js";
import { decodeHeaderValue, HeaderValidation } from "../../../packages/engine/src/server/features/request-headers.js";
import { OriginPolicy, preflightHeaders } from "../../../packages/engine/src/transports/http/access-control.js";
import {
  type HttpRequest,
  isJsonContentType,
  parseAccept,
} from "../../../packages/engine/src/transports/http/http-message.js";

import { type Target, violation } from "./target.js";

const NAMES = ["accept", "content-type", "host", "origin", "mcp-protocol-version", "mcp-method", "mcp-name"];
const meta = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
};
const request: JsonRpcRequest = { id: 1, method: "tools/call", params: { name: "echo", arguments: {}, _meta: meta } };

/** Headers, one per line, in the order of `NAMES`, are accepted or rejected. */
export const headers: Target = (input) => {
  const lines = input.split("\n");
  const found = new Map(NAMES.map((name, at) => [name, lines[at]]));
  const header = (name: string): string | undefined => found.get(name);
  parseAccept(header("accept"));
  isJsonContentType(header("content-type"));
  for (const value of lines) {
    const text = decodeHeaderValue(value);
    // Each text has only one encoding.
    if (text !== undefined && text !== value && `=?base64?${Buffer.from(text).toString("base64")}?=` !== value)
      throw violation(`${JSON.stringify(value)} was read as ${JSON.stringify(text)}`);
  }
  const guard = new OriginPolicy({
    listenAddress: "127.0.0.1",
    publicUrl: undefined,
    allowedHosts: [],
    allowedOrigins: [],
  });
  const asked = { header } as HttpRequest;
  const verdicts = [guard.rejectionReason(asked), guard.rejectionReason(asked)];
  if (verdicts[0] !== verdicts[1]) throw violation("a second look finds another verdict");
  for (const [name, text] of Object.entries(preflightHeaders(header("accept"))))
    if (/[^\t -~]/.test(text)) throw violation(`${name} cannot be sent: ${JSON.stringify(text)}`);
  try {
    new HeaderValidation({ header }, { acceptsStream: true }).selectRevision(request, undefined, REVISIONS);
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
  }
};
