import type { JsonObject } from "@toolwright/engine";
import { isObject } from "@toolwright/kit/json";
import { keyOf, metaOf, methodOf, paramsOf, textIn, VERSION } from "./messages.js";

/** A request that listens for changes as long as it is open. */
export interface Listening {
  readonly request: JsonObject;
  /** The client has been told that it listens. */
  isAcknowledged: boolean;
}

/** What the next code must be told of the client, because the client says it only once. */
export class Memory {
  /** The parameters of the handshake that was answered. */
  initialize: JsonObject | undefined;
  /** The revision that the client was given then. */
  agreed: string | undefined;
  isInitialized = false;
  /** What every request of a stateless client has beside its parameters. */
  meta: JsonObject | undefined;
  readonly listening = new Map<string, Listening>();
  readonly #watched = new Set<string>();
  #level: JsonObject | undefined;

  /** Notes what matters later. */
  hear(message: JsonObject): void {
    const params = paramsOf(message);
    const uri = textIn(params, "uri");
    const method = methodOf(message);
    if (method === "notifications/initialized") this.isInitialized = true;
    else if (method === "logging/setLevel") this.#level = params;
    else if (method === "resources/subscribe") this.#watched.add(uri);
    else if (method === "resources/unsubscribe") this.#watched.delete(uri);
    else if (method === "subscriptions/listen")
      this.listening.set(keyOf(message["id"]), { request: message, isAcknowledged: false });
    const meta = metaOf(message);
    if (typeof meta[VERSION] === "string")
      this.meta = Object.fromEntries(
        Object.entries(meta).filter(([name]) => name.startsWith("io.modelcontextprotocol/")),
      );
  }

  /** The handshake has succeeded. */
  agree(params: JsonObject, result: JsonObject): void {
    this.initialize = params;
    this.agreed = textIn(result, "protocolVersion");
  }

  /** What code that has just shaken hands is to be told, beside the handshake. */
  get wishes(): readonly { readonly method: string; readonly params: JsonObject }[] {
    return [
      ...(this.#level ? [{ method: "logging/setLevel", params: this.#level }] : []),
      ...[...this.#watched].map((uri) => ({ method: "resources/subscribe", params: { uri } })),
    ];
  }

  /** Who listens for the changes of a list, by the id of the request. */
  listenersOf(list: string): readonly JsonObject[] {
    const requests = [...this.listening.values()].map(({ request }) => request);
    return requests.filter((request) => {
      const wanted = paramsOf(request)["notifications"];
      return isObject(wanted) && wanted[`${list}ListChanged`] === true;
    });
  }
}
