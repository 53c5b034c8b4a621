import { RpcError } from "../../jsonrpc/errors.js";
import type { JsonObject } from "../../jsonrpc/json.js";
import type { Id } from "../../jsonrpc/messages.js";
import type { Caller } from "../../protocol/caller.js";
import { type Outcome, ToolError } from "../../protocol/outcome.js";
import { readTrace, type Trace } from "../../protocol/trace.js";
import { metaOf } from "../../revisions/revision.js";
import type { Exchange } from "../exchange.js";
import { forClient } from "../sanitise-failure.js";
import { failureResult } from "../tool-result.js";
import { serveInside, surface } from "./inside.js";
import type { Layer, LayerRequest } from "./layer.js";

/** Serves a request inside the layers that an author has put around all of them. */
export function passLayers(layers: readonly Layer[], exchange: Exchange, serve: () => void): void {
  const request = new PassingRequest(exchange);
  const enter = async (at: number): Promise<Outcome> => {
    const layer = layers[at];
    if (layer === undefined) return serveInside(exchange, serve);
    let isEntered = false;
    return layer(request, () => {
      if (isEntered) throw new Error("next() was called twice: a request is served once");
      isEntered = true;
      const inner = enter(at + 1);
      // A layer that does not wait for it must not leave a rejection behind that nobody caught.
      inner.catch(() => undefined);
      return inner;
    });
  };
  exchange.stayOpen();
  enter(0).then(
    (outcome) => {
      surface(exchange);
      exchange.settle(outcome);
    },
    async (error: unknown) => {
      surface(exchange);
      const isWorded = error instanceof ToolError || error instanceof RpcError;
      refuse(exchange, isWorded ? await forClient(exchange, error) : error);
    },
  );
}

/** A layer may refuse a tool call in words for the model, also before anything of the tool has begun. */
function refuse(exchange: Exchange, error: unknown): void {
  if (exchange.work !== undefined || !(error instanceof ToolError) || exchange.request.method !== "tools/call")
    return exchange.fail(error);
  const { message, code, details } = error;
  const known = { ...(code !== undefined && { code }), ...details };
  exchange.failure = error;
  exchange.settle({ kind: "tool", result: failureResult(message, known, false) });
}

/** What layers see of an exchange; all that costs something is worked out when it is looked at. */
class PassingRequest implements LayerRequest {
  readonly #exchange: Exchange;

  constructor(exchange: Exchange) {
    this.#exchange = exchange;
  }

  get id(): Id {
    return this.#exchange.id;
  }

  get method(): string {
    return this.#exchange.request.method;
  }

  get name(): string | undefined {
    const { name, uri } = this.params;
    const named = name ?? uri;
    return typeof named === "string" ? named : undefined;
  }

  get params(): JsonObject {
    return this.#exchange.request.params ?? {};
  }

  get caller(): Caller {
    return this.#exchange.caller;
  }

  get principal(): string | undefined {
    return this.#exchange.principal;
  }

  get signal(): AbortSignal {
    return this.#exchange.lifetime.signal;
  }

  get trace(): Trace | undefined {
    return readTrace(metaOf(this.#exchange.request));
  }

  get revision(): string {
    return this.#exchange.revision.version;
  }

  get transport(): string {
    return this.#exchange.link.transport ?? "other";
  }

  get sessionId(): string | undefined {
    return this.#exchange.link.sessionId;
  }
}
