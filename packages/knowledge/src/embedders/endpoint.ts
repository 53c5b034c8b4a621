import { setTimeout as pause } from "node:timers/promises";
import { TimeLimit } from "@toolwright/kit/time";
import { EndpointUnavailable, reasonOf, unavailable } from "./embedder.js";

/** The address of an embedding service, with its options. */
export interface Endpoint {
  /** The name in messages. */
  readonly title: string;
  readonly url: URL;
  /** The API key. Never shown in messages. */
  readonly key: string | undefined;
  readonly timeoutMs: number;
  /** The delay before the first retry. It doubles with each retry. */
  readonly pauseMs: number;
}

const ATTEMPTS = 5;
const MAX_PAUSE_MS = 30_000;
/** The maximum size of a response. 2048 vectors of 4096 components need less. */
const MAX_BYTES = 256 * 1024 * 1024;
const MAX_SHOWN = 300;

/** A failure after which the request can be retried. */
interface RetryableFailure {
  readonly reason: string;
  readonly waitMs?: number;
  /** The failure does not depend on the request: no response, or "503 Service Unavailable". */
  readonly isUnavailable?: boolean;
}

/** Options for a request. */
export interface PostOptions {
  readonly signal?: AbortSignal | undefined;
  /** Sends the request only once, with this timeout. */
  readonly onceMs?: number | undefined;
}

/** Posts JSON and returns the JSON of the response. Retries after 429, 5xx and connection failures. Throws a `ToolError` if all attempts fail. */
export async function post(endpoint: Endpoint, body: object, { signal, onceMs }: PostOptions = {}): Promise<unknown> {
  const timeoutMs = Math.min(onceMs ?? Number.POSITIVE_INFINITY, endpoint.timeoutMs);
  for (let attempt = 1; ; attempt++) {
    const outcome = await postOnce({ ...endpoint, timeoutMs }, body, signal);
    if ("answer" in outcome) return outcome.answer;
    const failure = `Cannot embed texts with ${endpoint.title}: ${outcome.reason}`;
    if (onceMs !== undefined || attempt === ATTEMPTS) {
      const message = `${failure}${onceMs === undefined ? ` (tried ${ATTEMPTS} times)` : ""}.`;
      throw outcome.isUnavailable ? new EndpointUnavailable(message) : unavailable(message);
    }
    const waitMs = outcome.waitMs ?? endpoint.pauseMs * 2 ** (attempt - 1);
    await pause(Math.min(waitMs, MAX_PAUSE_MS), undefined, signal && { signal }).catch(() => signal?.throwIfAborted());
  }
}

async function postOnce(
  endpoint: Endpoint,
  body: object,
  signal: AbortSignal | undefined,
): Promise<{ readonly answer: unknown } | RetryableFailure> {
  using limit = new TimeLimit(endpoint.timeoutMs, signal);
  try {
    const response = await fetch(endpoint.url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...(endpoint.key !== undefined && { authorization: `Bearer ${endpoint.key}` }),
      },
      body: JSON.stringify(body),
      // Texts are sent only to the configured address.
      redirect: "manual",
      signal: limit.signal,
    });
    const text = await readText(response);
    return response.ok ? { answer: parse(endpoint, text) } : toFailure(endpoint, response, text);
  } catch (error) {
    signal?.throwIfAborted();
    if (limit.isOver) return { reason: `no answer within ${endpoint.timeoutMs} ms`, isUnavailable: true };
    if (error instanceof TypeError)
      return { reason: `${endpoint.url.host} cannot be reached: ${causeOf(error)}`, isUnavailable: true };
    throw error;
  }
}

function toFailure(endpoint: Endpoint, { status, headers }: Response, text: string): RetryableFailure {
  const reason = `${endpoint.url.host} answered ${status}${errorMessageIn(endpoint, text)}`;
  if (status === 429 || status >= 500) {
    const seconds = Number(headers.get("retry-after") ?? Number.NaN);
    const isUnavailable = status === 503;
    return { reason, isUnavailable, ...(Number.isFinite(seconds) && seconds >= 0 && { waitMs: seconds * 1000 }) };
  }
  throw unavailable(`Cannot embed texts with ${endpoint.title}: ${reason}. ${adviceFor(endpoint, status)}`);
}

function adviceFor({ key }: Endpoint, status: number): string {
  if (status === 401 || status === 403)
    return key === undefined
      ? "It requires an API key: set embedder.keyEnv to the environment variable that contains it."
      : "It rejects the key in the environment variable of embedder.keyEnv.";
  if (status === 404) return "Check embedder.url, and whether the server has the model of embedder.model.";
  if (status >= 300 && status < 400) return "It redirects to another address: set embedder.url to that address.";
  return "Check embedder.model and embedder.dimension.";
}

/** Returns the shortened error message of a response, without the key. */
function errorMessageIn({ key }: Endpoint, text: string): string {
  let message = text;
  try {
    const { error } = JSON.parse(text) as { error?: string | { message?: string } };
    message = (typeof error === "string" ? error : error?.message) ?? text;
  } catch {
    // Not JSON: use the text itself.
  }
  const shown = (key === undefined ? message : message.replaceAll(key, "***")).trim().replaceAll(/\s+/g, " ");
  return shown === "" ? "" : `: ${shown.length > MAX_SHOWN ? `${shown.slice(0, MAX_SHOWN)}…` : shown}`;
}

async function readText(response: Response): Promise<string> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of response.body ?? []) {
    bytes += (piece as Uint8Array).length;
    if (bytes > MAX_BYTES) throw unavailable(`Cannot embed texts: the response has more than ${MAX_BYTES} bytes.`);
    pieces.push(piece as Uint8Array);
  }
  return Buffer.concat(pieces).toString("utf8");
}

function parse(endpoint: Endpoint, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw unavailable(
      `Cannot embed texts with ${endpoint.title}: the response of ${endpoint.url.host} is not JSON. Check embedder.url.`,
    );
  }
}

/** Returns the cause of a failed `fetch`, whose own message is only "fetch failed". */
const causeOf = (error: TypeError): string => {
  const cause = error.cause as NodeJS.ErrnoException | undefined;
  return cause?.code ?? reasonOf(cause ?? error);
};
