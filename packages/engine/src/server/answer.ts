import { encodeError, encodeResult } from "../jsonrpc/codec.js";
import { internalError, type RpcError } from "../jsonrpc/errors.js";
import type { JsonObject } from "../jsonrpc/json.js";
import type { Request } from "../jsonrpc/messages.js";
import { type Outcome, ToolError, toldOf } from "../protocol/outcome.js";
import type { Revision } from "../revisions/revision.js";
import { sizeFault } from "./answer-size.js";
import { monotonic } from "./clock.js";
import type { Core } from "./core.js";
import { sendLater } from "./delayed-answers.js";
import type { Link, Refusal } from "./link.js";
import type { Ending } from "./meters/ending.js";
import { retryAfterOf } from "./meters/refusals.js";
import type { Afterlife } from "./work.js";

/** Some clients drop progress that arrives together with the result, so the last report gets this much of a start. */
const PROGRESS_LEAD_MS = 20;

/** The HTTP status of a call that was not let in. */
const BUSY_STATUS = 429;

/** The part of an exchange that its answer is written from. */
interface Answered {
  readonly core: Core;
  readonly revision: Revision;
  readonly request: Request;
}

/** The whole answer that an outcome becomes. Throws where it would be too large to leave. */
export function writeOutcome({ core, revision, request }: Answered, outcome: Outcome, isWork: boolean): string {
  const answer = encodeResult(request.id, revision.writeResult(outcome, core.identity));
  const fault = sizeFault(answer, core.settings.limits.messageBytes);
  if (fault !== undefined) throw tooLarge(fault, isWork);
  return answer;
}

/** How many bytes an answer has, where that is known without a look at it: to look makes a copy. */
export function bytesOf({ request: { id } }: Answered, outcome: Outcome, answer: string): number | undefined {
  if (outcome.kind !== "text" || outcome.excess === undefined || typeof id === "string") return undefined;
  return answer.length + outcome.excess;
}

/** The whole answer that an error becomes, and how a transport shows it; even one whose data cannot be written gets both. */
export function writeRefusal(answered: Answered, error: RpcError): readonly [answer: string, refusal: Refusal] {
  const retryAfterMs = retryAfterOf(error.data);
  const status = retryAfterMs === undefined ? answered.revision.statusOf(error) : BUSY_STATUS;
  return [writeError(answered, error), { status, error, ...(retryAfterMs !== undefined && { retryAfterMs }) }];
}

function writeError(answered: Answered, error: RpcError): string {
  const { revision, request } = answered;
  try {
    return encodeError(request.id, revision.writeError(error));
  } catch (fault) {
    return encodeError(request.id, revision.writeError(unexpected(answered, fault)));
  }
}

/** A request that can tell something before its answer. */
interface Telling extends Answered {
  readonly link: Link;
  readonly afterlife: Afterlife | undefined;
}

/** Sends what a request tells before its answer; what is over the limit stays, because it would cost the client its connection. */
export function tell(telling: Telling, message: string): void {
  const { core, request, afterlife } = telling;
  const { limits, log } = core.settings;
  if (sizeFault(message, limits.messageBytes) !== undefined)
    log({ level: "warning", message: `a message of ${request.method} was too large to send`, requestId: request.id });
  else if (afterlife === undefined) sendOver(telling, message);
  else afterlife.send(message);
}

/** Sends a message that is no answer. */
export function sendOver(
  { core, link }: { readonly core: Pick<Core, "recorder">; readonly link: Link },
  message: string,
): void {
  core.recorder?.sent(link.session, message);
  link.send(message);
}

/** Sends an answer. */
export function deliver(
  { core, link, reportedAt }: { readonly core: Core; readonly link: Link; readonly reportedAt: number },
  answer: string,
  refusal?: Refusal,
): void {
  core.recorder?.sent(link.session, answer);
  const lead = reportedAt === 0 ? 0 : reportedAt + PROGRESS_LEAD_MS - monotonic();
  if (lead <= 0) return link.answer(answer, refusal);
  link.lasts?.();
  sendLater(() => link.answer(answer, refusal), lead);
}

/** How a transport shows a failure outside the message too; undefined = it does not. */
export function refusalOf(failure: unknown): Refusal | undefined {
  const retryAfterMs = failure instanceof ToolError ? retryAfterOf(failure.details) : undefined;
  return retryAfterMs === undefined ? undefined : { status: BUSY_STATUS, retryAfterMs };
}

/** Logs a fault of ours, and gives what the client hears of it. */
export function unexpected({ core, request }: Answered, error: unknown): RpcError {
  if (error instanceof ToolError) return internalError(error.message, toldOf(error));
  core.settings.log({ level: "error", message: `${request.method} failed`, requestId: request.id, error });
  return internalError("Internal error: the details are in the server's log");
}

/** Logs what went wrong while an answer was being sent. What a call throws that had failed or was cancelled before is expected. */
export function undelivered(
  answered: Answered & { readonly ending: Ending; readonly failure: unknown },
  error: unknown,
): void {
  const { core, request, ending, failure } = answered;
  if (ending === "cancelled" || failure !== undefined || (error as Error | undefined)?.name === "AbortError") return;
  core.settings.log({ level: "error", message: `${request.method} was not answered`, requestId: request.id, error });
}

/** An answer that cannot leave: a failure that the model sees where something of an author ran. */
function tooLarge({ message, details }: { message: string; details: JsonObject }, isWork: boolean): Error {
  return isWork ? new ToolError(message, { code: "RESULT_TOO_LARGE", details }) : internalError(message, details);
}

/** Tells a value that is still to come from one that is there. */
export function isThenable<Value>(value: Value | PromiseLike<Value>): value is PromiseLike<Value> {
  return typeof (value as { then?: unknown } | null | undefined)?.then === "function";
}
