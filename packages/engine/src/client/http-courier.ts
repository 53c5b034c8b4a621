import type { Headers } from "./channel.js";
import { ConnectionFailed, TimedOut } from "./errors.js";
import { EventReader, type Place, type StreamEvent } from "./sse-reader.js";

/** What an HTTP server is shown with each request. */
export interface HttpAccess {
  /** Sent with each request, or a function that makes them. */
  readonly headers?: Headers | (() => Headers | Promise<Headers>);
  /**
   * The bearer token, or a function that gives it; where the server refuses it, it is called once more with the server's
   * challenge.
   */
  readonly token?: string | ((challenge?: string) => string | undefined | Promise<string | undefined>);
  /** Used in place of the global one: for a proxy, certificates, longer waits. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
}

/** One HTTP request. */
export interface Letter {
  readonly method: "GET" | "POST" | "DELETE";
  readonly headers: Headers;
  readonly body?: string;
  readonly signal: AbortSignal;
}

const MOST_REDIRECTS = 3;

/** Carries HTTP requests to one server, with what gives access to it. */
export class Courier {
  readonly #access: HttpAccess;

  constructor(access: HttpAccess) {
    this.#access = access;
  }

  /** The response, whatever its status. Throws `ConnectionFailed` where there is none. */
  async send(url: string, letter: Letter): Promise<Response> {
    const { token } = this.#access;
    const shown = typeof token === "function" ? await token() : token;
    const response = await this.#deliver(url, letter, shown);
    if (response.status !== 401 || typeof token !== "function") return response;
    const fresh = await token(response.headers.get("www-authenticate") ?? "");
    if (fresh === undefined || fresh === shown) return response;
    await response.body?.cancel();
    return this.#deliver(url, letter, fresh);
  }

  async #deliver(url: string, letter: Letter, token: string | undefined): Promise<Response> {
    const { headers: extra, fetch: deliver = fetch } = this.#access;
    const given = {
      ...(typeof extra === "function" ? await extra() : extra),
      ...letter.headers,
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    };
    // Names that differ in case alone would be sent joined; the last one counts.
    const headers = Object.fromEntries(Object.entries(given).map(([name, value]) => [name.toLowerCase(), value]));
    let target = url;
    for (let redirects = 0; ; redirects += 1) {
      const response = await this.#fetch(deliver, target, { ...letter, headers, redirect: "manual" });
      if (![301, 302, 303, 307, 308].includes(response.status)) return response;
      await response.body?.cancel();
      target = redirected(target, response, redirects);
    }
  }

  async #fetch(deliver: NonNullable<HttpAccess["fetch"]>, url: string, init: RequestInit): Promise<Response> {
    try {
      return await deliver(url, init);
    } catch (cause) {
      init.signal?.throwIfAborted();
      const reason = reasonOf(cause);
      // Node waits for the head of an answer no longer than five minutes.
      if (reason === "UND_ERR_HEADERS_TIMEOUT")
        throw new TimedOut(`fetch waits no longer for ${url} (${reason}); see the option fetch`);
      throw new ConnectionFailed(`Cannot reach the server at ${url}: ${reason}. Is it running?`, { cause });
    }
  }
}

/** Headers may hold secrets, so they stay with the origin that they were given for; and a GET cannot stand for a POST. */
function redirected(url: string, response: Response, redirects: number): string {
  const { status } = response;
  const target = new URL(response.headers.get("location") ?? "", url);
  const isSafe = target.origin === new URL(url).origin && (status === 307 || status === 308);
  if (isSafe && redirects < MOST_REDIRECTS) return target.href;
  throw new ConnectionFailed(
    `The server at ${url} sends us on to ${target.href} (${status}), which is not followed. Connect there if you trust it`,
    { status },
  );
}

interface Failure {
  readonly code?: string;
  readonly message?: string;
  readonly cause?: Failure;
}

/** `fetch` hides what happened in the cause of its error; on some runtimes it says so itself. */
function reasonOf(error: unknown): string {
  const { code, message, cause } = error as Failure;
  return cause?.code || code || cause?.message || message || String(error);
}

/** The body as text. Throws `ConnectionFailed` where it is larger than the limit or breaks off. */
export async function readText(response: Response, mostBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of response.body ?? []) {
      size += (chunk as Uint8Array).length;
      if (size > mostBytes) break;
      chunks.push(chunk as Uint8Array);
    }
  } catch (cause) {
    throw new ConnectionFailed(`The server's answer broke off: ${reasonOf(cause)}`, { cause });
  }
  if (size <= mostBytes) return Buffer.concat(chunks).toString();
  throw new ConnectionFailed(`The server's answer is larger than ${mostBytes} bytes (messageBytes)`);
}

/** Reads an event stream to its end. Throws `ConnectionFailed` where it breaks. */
export async function readEvents(
  response: Response,
  mostBytes: number,
  place: Place,
  tell: (event: StreamEvent) => void,
): Promise<void> {
  const reader = new EventReader(mostBytes, place, tell);
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  try {
    for await (const chunk of response.body ?? []) reader.push(decoder.decode(chunk as Uint8Array, { stream: true }));
  } catch (cause) {
    throw new ConnectionFailed(`The server's event stream broke: ${reasonOf(cause)}`, { cause });
  }
}

/** The media type alone. */
export function typeOf(response: Response): string {
  return (response.headers.get("content-type") ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
}
