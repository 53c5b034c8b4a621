import { errorWithCode, type RpcError } from "../../jsonrpc/errors.js";

/** Published sets of error codes that clients of older servers expect. */
export const ERROR_CODE_SETS = ["paiml", "rag", "ancplua"] as const;

/** The name of a set of error codes. */
export type ErrorCodeSet = (typeof ERROR_CODE_SETS)[number];

/** Failures by name, and the codes that older servers of these lines use for them. */
const CODES: Record<ErrorCodeSet, Readonly<Record<string, number>>> = {
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

/** The protocol error for a named failure in an older set of codes, or undefined if the set has none. */
export function compatError(codes: ErrorCodeSet | undefined, name: string, message: string): RpcError | undefined {
  const code = codes && CODES[codes][name];
  return code === undefined ? undefined : errorWithCode(code, message);
}
