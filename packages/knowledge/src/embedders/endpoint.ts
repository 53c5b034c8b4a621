import { setTimeout as pause } from "node:timers/promises";
import { TimeLimit } from "@toolwright/kit/time";
import { EndpointUnavailable, reasonOf, unavailable } from "./embedder.js";

/** Where texts are sent, and how. */
export interface Endpoint {
  /** What people call it, in messages. */
  readonly title: string;
  readonly url: URL;
  /** A secret: it is sent, and never shown. */
  readonly key: string | undefined;
  readonly timeoutMs: number;
  /** How long the first wait is before a request is tried again; each is twice as long as the one before. */
  readonly pauseMs: number;
}

const TRIES = 5;
const MAX_PAUSE_MS = 30_000;
/** Of an answer; 2048 vectors of 4096 components as text are less. */
const MAX_BYTES = 256 * 1024 * 1024;
const MAX_SHOWN = 300;

/** A request that may succeed when it is sent again. */
interface RetryableFailure {
  readonly reason: string;
  readonly waitMs?: number;
  /** It is not about this request: there was no answer, or "503 Service Unavailable". */
  readonly isUnavailable?: boolean;
}

/** How a request is made. */
export interface PostOptions {
  readonly signal?: AbortSignal | undefined;
  /** It is tried once, and for so long at most. */
  readonly onceMs?: number | undefined;
}

/** Posts JSON and gives the JSON of the answer. Tries again after 429, 5xx and a lost connection; throws a `ToolError` in the end. */
export async function post(endpoint: Endpoint, body: object, { signal, onceMs }: PostOptions = {}): Promise<unknown> {
  const timeoutMs = Math.min(onceMs ?? Number.POSITIVE_INFINITY, endpoint.timeoutMs);
  for (let tries = 1; ; tries++) {
    const outcome = await postOnce({ ...endpoint, timeoutMs }, body, signal);
    if ("answer" in outcome) return outcome.answer;
    const failure = `Cannot embed texts with ${endpoint.title}: ${outcome.reason}`;
    if (onceMs !== undefined || tries === TRIES) {
      const message = `${failure}${onceMs === undefined ? ` (tried ${TRIES} times)` : ""}.`;
      throw outcome.isUnavailable ? new EndpointUnavailable(message) : unavailable(message);
    }
    const waitMs = outcome.waitMs ?? endpoint.pauseMs * 2 ** (tries - 1);
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
      // Texts go where the settings say, and nowhere else.
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
      ? "It wants a key: name the environment variable that holds one in embedder.keyEnv."
      : "It does not take the key that the variable of embedder.keyEnv holds.";
  if (status === 404) return "Look at embedder.url, and whether it has the model of embedder.model.";
  if (status >= 300 && status < 400) return "It sends on to another address: name that one in embedder.url.";
  return "Look at embedder.model and embedder.dimension.";
}

/** What the endpoint gives as its reason, in short, and never with the key. */
function errorMessageIn({ key }: Endpoint, text: string): string {
  let message = text;
  try {
    const { error } = JSON.parse(text) as { error?: string | { message?: string } };
    message = (typeof error === "string" ? error : error?.message) ?? text;
  } catch {
    // It is no JSON: then the text itself has to do.
  }
  const shown = (key === undefined ? message : message.replaceAll(key, "***")).trim().replaceAll(/\s+/g, " ");
  return shown === "" ? "" : `: ${shown.length > MAX_SHOWN ? `${shown.slice(0, MAX_SHOWN)}…` : shown}`;
}

async function readText(response: Response): Promise<string> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of response.body ?? []) {
    bytes += (piece as Uint8Array).length;
    if (bytes > MAX_BYTES) throw unavailable(`Cannot embed texts: the answer has more than ${MAX_BYTES} bytes.`);
    pieces.push(piece as Uint8Array);
  }
  return Buffer.concat(pieces).toString("utf8");
}

function parse(endpoint: Endpoint, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw unavailable(
      `Cannot embed texts with ${endpoint.title}: ${endpoint.url.host} answered with something that is not JSON. Look at embedder.url.`,
    );
  }
}

/** Node says only "fetch failed"; what failed is behind it. */
const causeOf = (error: TypeError): string => {
  const cause = error.cause as NodeJS.ErrnoException | undefined;
  return cause?.code ?? reasonOf(cause ?? error);
};
