import { numberedError, type RpcError } from "../jsonrpc/errors.js";
import type { LegacyCodes } from "./server-options.js";

/** Failures by name, and the numbers that older servers of these lines gave them. */
const CODES: Record<LegacyCodes, Readonly<Record<string, number>>> = {
  paiml: {
    TEMPLATE_NOT_FOUND: -32000,
    UNKNOWN_RESOURCE: -32000,
    INVALID_TEMPLATE_URI: -32001,
    INVALID_ARGUMENTS: -32002,
    RATE_LIMITED: -32003,
  },
  rag: { UNKNOWN_TOOL: -32000, FAILED: -32001, TIMEOUT: -32001, RESOURCE_NOT_FOUND: -32002 },
  ancplua: { UNKNOWN_TOOL: -32601, INVALID_ARGUMENTS: -32602, FAILED: -32603, TIMEOUT: -32000 },
};

/** The protocol error that stands for a named failure in an older numbering, or undefined where it has none. */
export function legacyError(line: LegacyCodes | undefined, name: string, message: string): RpcError | undefined {
  const code = line && CODES[line][name];
  return code === undefined ? undefined : numberedError(code, message);
}
