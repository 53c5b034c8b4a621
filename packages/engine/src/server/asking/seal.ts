import { invalidParams } from "../../jsonrpc/errors.js";
import { isObject, type Json, type JsonObject } from "../../jsonrpc/json.js";
import { builtin } from "../builtin.js";

// Few calls ask, and loading this module takes longer than all the rest of a start.
const nodeCrypto = () => builtin("node:crypto");

/** An answer of an earlier round, and the digest of the question that it answers. */
interface SealedAnswer {
  readonly question: string;
  readonly answer: Json;
}

/** What travels in `requestState` from one round of a stateless call to the next. */
export interface CallState {
  readonly round: number;
  readonly answers: { readonly [name: string]: SealedAnswer };
  /** Digests of the questions that were asked in the last round, by name. */
  readonly asked: { readonly [name: string]: string };
  /** What was worked out between questions, each with the digest of what it was worked out from. */
  readonly kept?: { readonly [name: string]: { readonly basis: string; readonly value: JsonObject } };
}

/** How long a client may take to answer. */
const LIFETIME_MS = 60 * 60 * 1000;

/** Signs call state. A seal holds for one binding only: method, params and principal; all else fails closed. */
export class Seal {
  readonly #key: Uint8Array;

  constructor(secret?: string | Uint8Array) {
    const { createHash, randomBytes } = nodeCrypto();
    this.#key = secret === undefined ? randomBytes(32) : createHash("sha256").update(secret).digest();
  }

  close(state: CallState, binding: string): string {
    const body = Buffer.from(JSON.stringify({ ...state, expires: Date.now() + LIFETIME_MS })).toString("base64url");
    return `${body}.${this.#sign(body, binding).toString("base64url")}`;
  }

  /** Throws `RpcError` for state that is forged, expired, or from another call or caller. */
  open(sealed: string, binding: string): CallState {
    const [body = "", signature = "", ...rest] = sealed.split(".");
    const given = Buffer.from(signature, "base64url");
    const due = this.#sign(body, binding);
    if (rest.length > 0 || given.length !== due.length || !nodeCrypto().timingSafeEqual(given, due)) {
      throw invalidParams("Invalid params: requestState is not one that this server made for this call");
    }
    const { expires, ...state } = JSON.parse(Buffer.from(body, "base64url").toString()) as CallState & {
      expires: number;
    };
    if (expires < Date.now()) throw invalidParams("Invalid params: requestState has expired; call again without it");
    return state;
  }

  #sign(body: string, binding: string): Buffer {
    return nodeCrypto().createHmac("sha256", this.#key).update(`${binding.length}:${binding}${body}`).digest();
  }
}

/** A short fingerprint of a value, the same for any order of its keys. */
export function digest(value: Json): string {
  return nodeCrypto()
    .createHash("sha256")
    .update(JSON.stringify(sorted(value)))
    .digest("base64url")
    .slice(0, 22);
}

function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  const keys = Object.keys(value).sort((a, b) => (a < b ? -1 : 1));
  return Object.fromEntries(keys.map((key) => [key, sorted(value[key] as Json)]));
}
