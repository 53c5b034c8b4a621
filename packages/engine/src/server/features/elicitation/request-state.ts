import { invalidParams } from "../../../jsonrpc/errors.js";
import { canonicalJson, isObject, type Json, type JsonObject } from "../../../jsonrpc/messages.js";
import { type InputRequest, type Outcome, ToolError } from "../../../protocol/outcome.js";
import type { RequestContext } from "../../request-context.js";
import { getBuiltinModule } from "../../runtime.js";

// Few calls need it, and loading this module takes longer than the rest of the start-up.
const nodeCrypto = () => getBuiltinModule("node:crypto");

/** A response of an earlier round, and the digest of its request. */
interface StoredResponse {
  readonly request: string;
  readonly response: Json;
}

/** The content of `requestState`, which the client passes from one round of a stateless call to the next. */
interface RequestState {
  readonly round: number;
  readonly responses: { readonly [name: string]: StoredResponse };
  /** Digests of the requests of the last round, by name. */
  readonly requested: { readonly [name: string]: string };
  /** Values of earlier rounds, by the digest of their name and of what they were computed from. */
  readonly memoized: { readonly [digest: string]: JsonObject };
}

/** How long a client may take to respond. */
const STATE_TTL_MS = 60 * 60 * 1000;

/** Signs request state. A signature is valid for one binding only: method, params and principal. */
export class RequestStateSigner {
  readonly #key: Uint8Array;

  constructor(secret?: string | Uint8Array) {
    const { createHash, randomBytes } = nodeCrypto();
    this.#key = secret === undefined ? randomBytes(32) : createHash("sha256").update(secret).digest();
  }

  sign(state: RequestState, binding: string): string {
    const body = Buffer.from(JSON.stringify({ ...state, expires: Date.now() + STATE_TTL_MS })).toString("base64url");
    return `${body}.${this.#hmac(body, binding).toString("base64url")}`;
  }

  /** Throws `RpcError` for state that is forged, expired, or from another call or caller. */
  verify(token: string, binding: string): RequestState {
    const [body = "", signature = "", ...rest] = token.split(".");
    const actual = Buffer.from(signature, "base64url");
    const expected = this.#hmac(body, binding);
    if (rest.length > 0 || actual.length !== expected.length || !nodeCrypto().timingSafeEqual(actual, expected)) {
      throw invalidParams("Invalid params: requestState is not one that this server made for this call");
    }
    const { expires, ...state } = JSON.parse(Buffer.from(body, "base64url").toString()) as RequestState & {
      expires: number;
    };
    if (expires < Date.now()) throw invalidParams("Invalid params: requestState has expired; call again without it");
    return state;
  }

  #hmac(body: string, binding: string): Buffer {
    return nodeCrypto().createHmac("sha256", this.#key).update(`${binding.length}:${binding}${body}`).digest();
  }
}

/** A short fingerprint of a value, the same for any order of its keys. */
export function digest(value: Json): string {
  return nodeCrypto().createHash("sha256").update(canonicalJson(value)).digest("base64url").slice(0, 22);
}

/** Ends the handler of a stateless call whose request has no response yet. */
export class InputRequiredError extends Error {}

/**
 * One round of a stateless call: the responses that came with the call, and the requests that end the round. The client then
 * repeats the call with their responses and with the request state, which contains everything of earlier rounds.
 */
export class InputRounds {
  readonly #ctx: RequestContext;
  readonly #signer: RequestStateSigner;
  readonly #binding: string;
  readonly #round: number;
  /** The digests of the requests of the last round; undefined without request state. */
  readonly #requested: RequestState["requested"] | undefined;
  readonly #inputResponses: JsonObject;
  readonly #responses: Map<string, StoredResponse>;
  #memoized: RequestState["memoized"];
  readonly #pending = new Map<string, InputRequest>();

  /** Throws `RpcError` for invalid request state or responses. */
  constructor(ctx: RequestContext) {
    this.#ctx = ctx;
    this.#signer = ctx.state.requestStateSigner((secret) => new RequestStateSigner(secret));
    const { requestState, inputResponses = {}, _meta, ...params } = ctx.request.params ?? {};
    if (!isObject(inputResponses)) throw invalidParams("Invalid params: inputResponses must be an object");
    if (requestState !== undefined && typeof requestState !== "string")
      throw invalidParams("Invalid params: requestState must be a string");
    // Clients may replace absent arguments with empty ones when they repeat a call.
    const call = digest({ ...params, arguments: params["arguments"] ?? {} });
    this.#binding = JSON.stringify([ctx.principal ?? null, ctx.request.method, call]);
    const state = requestState === undefined ? undefined : this.#signer.verify(requestState, this.#binding);
    this.#round = state?.round ?? 0;
    this.#requested = state?.requested;
    this.#inputResponses = inputResponses;
    this.#responses = new Map(Object.entries(state?.responses ?? {}));
    this.#memoized = state?.memoized ?? {};
    // Kept even if the handler does not send the request in this round, so that the user is not asked again.
    for (const [name, request] of Object.entries(this.#requested ?? {})) {
      if (Object.hasOwn(inputResponses, name))
        this.#responses.set(name, { request, response: inputResponses[name] as Json });
    }
  }

  /** The response to a request; undefined if there is none, or only one to another request of this name. */
  takeResponse(name: string, { params }: InputRequest): Json | undefined {
    const request = digest(params);
    const known = this.#responses.get(name);
    if (known !== undefined) return known.request === request ? known.response : undefined;
    // Without request state any response is accepted; with it, only responses to requests that were sent.
    if (this.#requested !== undefined || !Object.hasOwn(this.#inputResponses, name)) return undefined;
    const response = this.#inputResponses[name] as Json;
    this.#responses.set(name, { request, response });
    return response;
  }

  /** Records a request for the client and returns the error that ends the handler. */
  addPending(name: string, inputRequest: InputRequest): Error {
    const { inputRounds } = this.#ctx.state.settings.limits;
    if (this.#round >= inputRounds) {
      return new ToolError(`The call was aborted after ${inputRounds} rounds of input requests.`, {
        code: "TOO_MANY_ROUNDS",
        details: { limit: "inputRounds" },
      });
    }
    this.#responses.delete(name);
    this.#pending.set(name, inputRequest);
    return new InputRequiredError(`"${name}" has no response yet`);
  }

  /** Returns the value that an earlier round computed under this name from the same basis, or computes it. */
  async memoize(name: string, basis: Json, compute: () => Promise<JsonObject>): Promise<JsonObject> {
    const key = digest([name, basis]);
    const known = this.#memoized[key];
    if (known !== undefined) return known;
    const pendingBefore = this.#pending.size;
    const value = await compute();
    // A value that was computed without a response that it requested must not be kept.
    if (this.#pending.size > pendingBefore) throw new InputRequiredError(`"${name}" has a pending request`);
    // The handler of a task does not run again, so there is nothing to remember.
    if (this.#ctx.taskSink !== undefined) return value;
    const memoized = { ...this.#memoized, [key]: value };
    const { requestStateBytes: limit } = this.#ctx.state.settings.limits;
    const bytes = Buffer.byteLength(JSON.stringify(memoized));
    if (bytes > limit)
      throw new ToolError(`The request state has ${bytes} bytes of tool results; the limit is ${limit}.`, {
        code: "TOO_MUCH_TO_KEEP",
        details: { limit: "requestStateBytes", bytes, max: limit },
      });
    this.#memoized = memoized;
    return value;
  }

  /** The outcome of a round with pending requests; undefined if there are none. */
  inputRequired(): Outcome | undefined {
    if (this.#pending.size === 0) return undefined;
    const requested = Object.fromEntries([...this.#pending].map(([name, { params }]) => [name, digest(params)]));
    const responses = Object.fromEntries(this.#responses);
    const state = { round: this.#round + 1, responses, requested, memoized: this.#memoized };
    return { kind: "input_required", inputRequests: this.#pending, state: this.#signer.sign(state, this.#binding) };
  }
}
