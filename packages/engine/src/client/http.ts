import { parse } from "../jsonrpc/codec.js";
import { isObject, type Json, type JsonObject } from "../jsonrpc/json.js";
import { VERSION_KEY } from "../revisions/meta-keys.js";
import { metaOf } from "../revisions/revision.js";
import type { Channel, Ear, Headers, SpokenRevision } from "./channel.js";
import { ConnectionFailed, refusalOf, statusOf } from "./errors.js";
import { Courier, type HttpAccess, readEvents, readText, typeOf } from "./http-courier.js";
import { mirror } from "./http-headers.js";
import { pause } from "./pause.js";
import type { Place } from "./sse-reader.js";
import { textOf } from "./text.js";

/** What is waited for before a stream is taken up again, where the server has no wish. */
const RETRY = { firstMs: 1000, mostMs: 30_000, tries: 5 };
/** How long the end of a session may take. */
const GOODBYE_MS = 2000;
const BOTH = "application/json, text/event-stream";

/** A channel over Streamable HTTP: a POST for each message, and in a session a GET for what the server says by itself. */
export class HttpChannel implements Channel {
  readonly hasHeaders = true;
  readonly #url: string;
  readonly #courier: Courier;
  readonly #most: number;
  readonly #ear: Ear;
  /** What can be hung up: the requests by their ids, everything else by itself. */
  readonly #calls = new Map<unknown, AbortController>();
  #session: string | undefined;
  #revision: SpokenRevision | undefined;

  constructor(url: string, access: HttpAccess, mostBytes: number, ear: Ear) {
    this.#url = url;
    this.#courier = new Courier(access);
    this.#most = mostBytes;
    this.#ear = ear;
  }

  async send(message: JsonObject, headers: Headers = {}): Promise<void> {
    const id = typeof message["method"] === "string" ? (message["id"] as number | undefined) : undefined;
    try {
      await this.#call(id ?? message, (signal) => this.#post(message, headers, id, signal));
      if (id !== undefined) this.#ear.fail(id, new ConnectionFailed("The server's response ended without an answer"));
    } catch (error) {
      if (id === undefined) throw error;
      this.#ear.fail(id, error as Error);
    }
  }

  agree(revision: SpokenRevision): void {
    this.#revision = revision;
  }

  listen(): void {
    // Some servers have nothing to say by themselves, and no way for it.
    this.#call(this, (signal) => this.#listen(signal)).catch(() => undefined);
  }

  hangUp(id: number): boolean {
    this.#calls.get(id)?.abort();
    return this.#revision?.handshake === false;
  }

  async close(): Promise<void> {
    for (const call of this.#calls.values()) call.abort();
    if (this.#session === undefined) return;
    try {
      const letter = { method: "DELETE", headers: this.#headers(), signal: AbortSignal.timeout(GOODBYE_MS) } as const;
      const response = await this.#courier.send(this.#url, letter);
      await response.body?.cancel();
    } catch {
      // The server forgets the session by itself.
    }
  }

  async #call(key: unknown, deed: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const call = new AbortController();
    this.#calls.set(key, call);
    try {
      await deed(call.signal);
    } finally {
      this.#calls.delete(key);
    }
  }

  #headers(version = this.#revision?.version): Headers {
    return {
      ...(version !== undefined && { "mcp-protocol-version": version }),
      ...(this.#session !== undefined && { "mcp-session-id": this.#session }),
    };
  }

  async #post(message: JsonObject, extra: Headers, id: number | undefined, signal: AbortSignal): Promise<void> {
    const alone = metaOf(message)?.[VERSION_KEY] as string | undefined;
    const own = alone === undefined ? this.#headers() : { ...this.#headers(alone), ...mirror(message), ...extra };
    const headers = { ...own, accept: BOTH, "content-type": "application/json" };
    const letter = { method: "POST", headers, body: JSON.stringify(message), signal } as const;
    const response = await this.#courier.send(this.#url, letter);
    if (message["method"] === "initialize") this.#session = response.headers.get("mcp-session-id") ?? undefined;
    if (!response.ok || typeOf(response) !== "text/event-stream") await this.#hearBody(response, id);
    else if (alone === undefined) await this.#hearStream(response, id, signal);
    // What stands alone cannot be taken up again.
    else await this.#read(response, newPlace());
  }

  async #hearBody(response: Response, id: number | undefined): Promise<void> {
    const text = await readText(response, this.#most);
    const body = typeOf(response) === "application/json" && text !== "" ? parseBody(this.#url, text) : undefined;
    if (response.ok) {
      if (body !== undefined) this.#ear.hear(body);
      return;
    }
    // A call that is refused for now has words for the model, and a status for whoever stands between.
    if (isObject(body) && isObject(body["result"])) return this.#ear.hear(body);
    const error = isObject(body) && isObject(body["error"]) ? body["error"] : undefined;
    const isDenied = response.status === 401 || response.status === 403;
    const isSessionGone = response.status === 404 && this.#session !== undefined;
    if (error === undefined || id === undefined || isDenied || isSessionGone)
      throw failureOf(this.#url, response, textOf(error?.["message"], text.slice(0, 200)), isSessionGone);
    // Servers that could not read the id, or did not try, leave it out; there is one request in a POST.
    throw refusalOf(error, response.status);
  }

  /** The answer comes in a stream. Where the server ends it early, or it breaks, the rest is to be fetched. */
  async #hearStream(first: Response, id: number | undefined, signal: AbortSignal): Promise<void> {
    const place = newPlace();
    let response: Response | undefined = first;
    for (let failures = 0; ; failures += 1) {
      const before = place.id;
      try {
        response ??= await this.#get(place, signal);
        if (response) await this.#read(response, place);
        // A server may end it in good order as often as it likes, and be asked again later.
        failures = 0;
      } catch (error) {
        if (!isPassing(statusOf(error)) || place.id === undefined || failures === RETRY.tries || signal.aborted)
          throw error;
        if (place.id !== before) failures = 0;
      }
      response = undefined;
      if (id === undefined || !this.#ear.isWaiting(id) || place.id === undefined) return;
      await pause(waitOf(place, failures), signal);
    }
  }

  /** What the server says by itself, for as long as the session lasts. */
  async #listen(signal: AbortSignal): Promise<void> {
    const place = newPlace();
    for (let failures = 0, wasOpen = false; ; failures += 1) {
      try {
        const response = await this.#get(place, signal);
        if (response) {
          failures = 0;
          wasOpen = true;
          await this.#read(response, place);
        } else if (!wasOpen) return;
      } catch (error) {
        const status = statusOf(error);
        // Where there never was a stream, the address is only unknown to GET.
        if (status === 404 && wasOpen) this.#ear.broke(error as ConnectionFailed);
        const isHopeless = !wasOpen && failures === RETRY.tries;
        if (signal.aborted || isHopeless || [401, 403, 404].includes(status ?? 0)) return;
        // Of what it has kept, the server has nothing left: the stream begins anew.
        if (!isPassing(status)) place.id = undefined;
      }
      await pause(waitOf(place, failures), signal);
    }
  }

  #read(response: Response, place: Place): Promise<void> {
    return readEvents(response, this.#most, place, ({ event, data }) => {
      if (event === "message") this.#ear.hear(parse(data));
    });
  }

  /** A stream of the server's own words, from a place on; undefined = it has none. */
  async #get(place: Place, signal: AbortSignal): Promise<Response | undefined> {
    const resumed: Headers = place.id === undefined ? {} : { "last-event-id": place.id };
    const headers = { ...this.#headers(), ...resumed, accept: "text/event-stream" };
    const response = await this.#courier.send(this.#url, { method: "GET", headers, signal });
    if (response.ok && typeOf(response) === "text/event-stream") return response;
    await response.body?.cancel();
    const { status } = response;
    if (isPassing(status)) await pause(Math.min(1000 * Number(response.headers.get("retry-after")) || 0, 1e9), signal);
    else if (place.id === undefined && status !== 404) return undefined;
    throw failureOf(this.#url, response, "the stream cannot be taken up again", status === 404);
  }
}

const newPlace = (): Place => ({ id: undefined, retryMs: RETRY.firstMs });

/** Whether it may be otherwise the next time; undefined = nothing was heard of the server. */
const isPassing = (status = 500): boolean => status === 408 || status === 429 || (status >= 500 && status !== 501);

/** At least as long as the server wishes. */
const waitOf = ({ retryMs }: Place, failures: number): number =>
  Math.max(retryMs, Math.min(retryMs * 2 ** failures, RETRY.mostMs));

function parseBody(url: string, text: string): Json {
  try {
    return parse(text);
  } catch (cause) {
    throw new ConnectionFailed(`The server at ${url} sent what cannot be read: ${(cause as Error).message}`, { cause });
  }
}

function failureOf(url: string, response: Response, words: string, isSessionGone: boolean): ConnectionFailed {
  const { status } = response;
  const challenge = response.headers.get("www-authenticate") ?? undefined;
  const what = isSessionGone
    ? `The server at ${url} has ended the session (404). Connect again to go on`
    : `The server at ${url} refused the request with HTTP status ${status}${words && `: ${words}`}`;
  const next = status === 401 ? ". It wants a token: see the options token and headers" : "";
  return new ConnectionFailed(`${what}${next}`, { status, challenge });
}
