import { RpcError } from "../jsonrpc/errors.js";
import type { Request } from "../jsonrpc/messages.js";
import type { ToolError } from "../protocol/outcome.js";
import { onDemand } from "./on-demand.js";
import type { Redaction } from "./redact.js";
import type { Settings } from "./settings.js";

/** The part of an exchange whose failures are told to a client. */
interface Failing {
  readonly core: { readonly settings: Pick<Settings, "sanitise" | "redaction"> };
  readonly request: Pick<Request, "params">;
}

// Few failures need the patterns, so they are loaded for the first that does, which is answered a moment later.
const load = onDemand(() => import("./sanitise.js"));

/** A failure in words that may leave the server: no stack, no path of the host, no SQL, nothing of the environment. */
export function forClient(
  { core, request }: Failing,
  failure: RpcError | ToolError,
): RpcError | ToolError | Promise<RpcError | ToolError> {
  const { sanitise, redaction } = core.settings;
  const members = failure instanceof RpcError ? failure.data : failure.details;
  if (!sanitise || (isPlain(failure.message, redaction) && isPlain(jsonOf(members), redaction))) return failure;
  const part = load();
  if (!(part instanceof Promise)) return part.sanitiseFailure(failure, request.params, redaction);
  return part.then(({ sanitiseFailure }) => sanitiseFailure(failure, request.params, redaction));
}

/** What is wrong with arguments, in words that may leave the server; those of the schema itself are known to the client. */
export function faultsForClient(
  { core, request }: Failing,
  faults: readonly string[],
  schema: () => unknown,
): readonly string[] | Promise<readonly string[]> {
  const { sanitise, redaction } = core.settings;
  if (!sanitise || faults.every((fault) => isPlain(fault, redaction))) return faults;
  const said = [request.params, schema()];
  const part = load();
  if (!(part instanceof Promise)) return part.sanitiseTexts(faults, said, redaction);
  return part.then(({ sanitiseTexts }) => sanitiseTexts(faults, said, redaction));
}

/** The signs without which there is no path, no stack, no variable and no SQL. */
const SUSPECT =
  /(?:^|[^\w/.~\u2026%@+-])\/|[\\=\n]|:\d+:\d|\b(?:select|insert|update|delete|replace|create|alter|drop|truncate|merge|pragma)\s|\bas\s*\(/i;

/** Tells in a moment that there is nothing to look for, as in the failures of the engine itself. */
const isPlain = (text: unknown, redaction: Redaction): boolean =>
  typeof text === "string" && !SUSPECT.test(text) && redaction.text(text) === text;

/** The members as text; what JSON cannot write is for whoever writes the answer. */
function jsonOf(members: unknown): string {
  try {
    return JSON.stringify(members) ?? "";
  } catch {
    return "";
  }
}
