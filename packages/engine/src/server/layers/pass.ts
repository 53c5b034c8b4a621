import { RpcError } from "../../jsonrpc/errors.js";
import { isObject, type JsonObject } from "../../jsonrpc/json.js";
import type { Id } from "../../jsonrpc/messages.js";
import type { Caller } from "../../protocol/caller.js";
import { NOT_KEPT, type Outcome, ToolError, type ToolResult, toldOf } from "../../protocol/outcome.js";
import { readTrace, type Trace } from "../../protocol/trace.js";
import { metaOf } from "../../revisions/revision.js";
import { unexpected } from "../answer.js";
import type { Exchange } from "../exchange.js";
import { forClient } from "../sanitise-failure.js";
import { failureResult } from "../tool-result.js";
import { serveInside, surface } from "./inside.js";
import type { Layer, LayerRequest } from "./layer.js";

/** Serves a request inside the layers that an author has put around all of them. */
export function passLayers(layers: readonly Layer[], exchange: Exchange, serve: () => void): void {
  const opening = exchange.request.method === "initialize" ? exchange.link.session : undefined;
  const request = new PassingRequest(exchange);
  const enter = async (at: number): Promise<Outcome> => {
    const layer = layers[at];
    if (layer === undefined) return serveInside(exchange, serve);
    let inner: Promise<Outcome> | undefined;
    let given: Outcome | undefined;
    let text: unknown;
    const outcome = await layer(request, () => {
      if (inner) throw new Error("next() was called twice: a request is served once");
      inner = enter(at + 1);
      inner.then(
        (came) => {
          given = came;
          text = textOf(came);
        },
        // A layer that does not wait for it must not leave a rejection behind that nobody caught.
        () => undefined,
      );
      return inner;
    });
    try {
      // What a layer has made or changed is written to see whether it can be; what it gives on is not, for lists are long.
      const isKnown = exchange.isDone || (outcome === given && textOf(outcome) === text);
      if (!isKnown && !isObject(JSON.parse(exchange.revision.writeResult(outcome, ""))))
        throw new TypeError("no object");
    } catch (cause) {
      throw unexpected(
        exchange,
        new Error(`Layer "${layer.name || at}" must return an outcome, as next() does`, { cause }),
      );
    }
    return outcome;
  };
  exchange.stayOpen();
  // What follows waits for the answer, not for layers that go on after it.
  if (opening)
    opening.handshake = new Promise<void>((over) => exchange.lifetime.whenOver(over)).then(() => {
      opening.handshake = undefined;
      return exchange.ending === "cancelled";
    });
  enter(0)
    .then((outcome) => {
      surface(exchange);
      exchange.settle(cacheable(exchange, outcome));
    })
    .catch(async (error: unknown) => {
      surface(exchange);
      // A handshake that a layer refuses has not been, even where it was agreed on inside.
      if (opening && !exchange.isDone) opening.revision = undefined;
      const isWorded = error instanceof ToolError || error instanceof RpcError;
      refuse(exchange, isWorded ? await forClient(exchange, error) : error);
    })
    .catch((error: unknown) => exchange.fail(error));
}

/** What clients may keep says for how long; of what a layer has made, nobody knows. */
const cacheable = ({ request }: Exchange, outcome: Outcome): Outcome =>
  outcome.kind === "plain" &&
  outcome.cache === undefined &&
  !("ttlMs" in outcome.body) &&
  /(list|read|discover)$/.test(request.method)
    ? { ...outcome, cache: NOT_KEPT }
    : outcome;

/** The JSON text that an outcome brings along, if it does. */
const textOf = ({ result, body }: { kind: string; result?: ToolResult; body?: unknown }): unknown =>
  result ? result.structured : body;

/** A layer may refuse a tool call in words for the model, also before anything of the tool has begun. */
function refuse(exchange: Exchange, error: unknown): void {
  if (exchange.work !== undefined || !(error instanceof ToolError) || exchange.request.method !== "tools/call")
    return exchange.fail(error);
  const called = exchange.core.registry.tools.find(exchange.request.params?.["name"] as string);
  exchange.failure = error;
  exchange.settle({ kind: "tool", result: failureResult(error.message, toldOf(error), called?.output !== undefined) });
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
