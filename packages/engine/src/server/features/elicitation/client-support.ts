import { capabilityNames, missingCapability } from "../../../jsonrpc/errors.js";
import { type InputRequest, ToolError } from "../../../protocol/outcome.js";
import { hasCapabilities } from "../../../revisions/revision.js";
import type { ClientFeature } from "../../call.js";
import { supportsApps } from "../../definitions/app.js";
import type { RequestContext } from "../../request-context.js";

const samplingParams = { messages: [], maxTokens: 1 };

/** A minimal request for each feature, to look up the capabilities that it requires. */
const MINIMAL_REQUESTS: Readonly<Record<Exclude<ClientFeature, "apps">, InputRequest>> = {
  elicit: {
    method: "elicitation/create",
    params: { message: "", requestedSchema: { type: "object", properties: {} } },
  },
  elicitUrl: { method: "elicitation/create", params: { mode: "url", message: "", url: "" } },
  sample: { method: "sampling/createMessage", params: samplingParams },
  sampleWithTools: { method: "sampling/createMessage", params: { ...samplingParams, tools: [] } },
  roots: { method: "roots/list", params: {} },
};

/** Whether the client of a call supports a feature. */
export function supportsClientFeature(ctx: RequestContext, feature: ClientFeature): boolean {
  if (feature === "apps") return supportsApps(ctx.caller.capabilities);
  const inputRequest = Object.hasOwn(MINIMAL_REQUESTS, feature) ? MINIMAL_REQUESTS[feature] : undefined;
  if (inputRequest === undefined)
    throw new TypeError(
      `"${feature as string}" is not a client feature; use one of ${Object.keys(MINIMAL_REQUESTS).join(", ")}, apps`,
    );
  try {
    requireClientSupport(ctx, inputRequest);
    ctx.revision.writeInputRequest(inputRequest);
    return true;
  } catch {
    return false;
  }
}

/** Throws if the client does not support a request: an `RpcError` in stateless revisions, else a `ToolError`. */
export function requireClientSupport(ctx: RequestContext, inputRequest: InputRequest): void {
  const { kind, request, revision, caller, connection } = ctx;
  if (kind === "completion" || request.method === "resources/list")
    throw new TypeError(
      `${request.method} cannot send requests to the client: only tools, prompts and resources/read can`,
    );
  const capabilities = revision.requiredCapabilities(inputRequest);
  const isSupported = hasCapabilities(caller.capabilities, capabilities);
  if (!isSupported && !revision.handshake) throw missingCapability(capabilities);
  if (!isSupported)
    throw cannotRequestError(
      ctx,
      inputRequest,
      `the client did not declare ${capabilityNames(capabilities).join(" and ")}`,
    );
  if (revision.handshake && !connection.session.isReady)
    throw cannotRequestError(ctx, inputRequest, "the client has not sent notifications/initialized yet");
}

/** The error of a handler that needs the client and cannot send it a request. */
export function cannotRequestError({ kind }: RequestContext, { method }: InputRequest, reason: string): ToolError {
  return new ToolError(`This ${kind} cannot send ${method}: ${reason}.`, { code: "CANNOT_ASK" });
}
