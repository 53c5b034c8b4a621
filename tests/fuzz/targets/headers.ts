import { RpcError } from "../../../packages/engine/src/jsonrpc/errors.js";
import type { Request } from "../../../packages/engine/src/jsonrpc/messages.js";
import { REVISIONS } from "../../../packages/engine/src/revisions/select.js";
import { Claims } from "../../../packages/engine/src/server/claims.js";
import { decodeHeader } from "../../../packages/engine/src/server/header-value.js";
import { isJson, readAccept } from "../../../packages/engine/src/transports/http/accept.js";
import { Guard, preflightHeaders } from "../../../packages/engine/src/transports/http/guard.js";
import type { HttpRequest } from "../../../packages/engine/src/transports/http/host.js";
import { broken, type Target } from "./target.js";

const NAMES = ["accept", "content-type", "host", "origin", "mcp-protocol-version", "mcp-method", "mcp-name"];
const meta = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
};
const request: Request = { id: 1, method: "tools/call", params: { name: "echo", arguments: {}, _meta: meta } };

/** Headers, one a line, in the order of `NAMES`, are understood or refused. */
export const headers: Target = (input) => {
  const lines = input.split("\n");
  const found = new Map(NAMES.map((name, at) => [name, lines[at]]));
  const header = (name: string): string | undefined => found.get(name);
  readAccept(header("accept"));
  isJson(header("content-type"));
  for (const value of lines) {
    const text = decodeHeader(value);
    // Only one spelling stands for a text.
    if (text !== undefined && text !== value && `=?base64?${Buffer.from(text).toString("base64")}?=` !== value)
      throw broken(`${JSON.stringify(value)} was read as ${JSON.stringify(text)}`);
  }
  const guard = new Guard({ boundTo: "127.0.0.1", publicUrl: undefined, allowedHosts: [], allowedOrigins: [] });
  const asked = { header } as HttpRequest;
  const verdicts = [guard.refusal(asked), guard.refusal(asked)];
  if (verdicts[0] !== verdicts[1]) throw broken("a second look finds another verdict");
  for (const [name, text] of Object.entries(preflightHeaders(header("accept"))))
    if (/[^\t -~]/.test(text)) throw broken(`${name} cannot be sent: ${JSON.stringify(text)}`);
  try {
    new Claims({ header }, true).select(request, undefined, REVISIONS);
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
  }
};
