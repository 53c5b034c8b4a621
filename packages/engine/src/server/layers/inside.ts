import type { Outcome } from "../../protocol/outcome.js";
import { builtin } from "../builtin.js";
import { cancellation, type Lifetime } from "../lifetime.js";
import { leaveMeters, type Meter, type Metered } from "../meters/meter.js";

/** Whoever waits outside for what a request comes to inside the layers. */
export interface Inside {
  resolve(outcome: Outcome): void;
  reject(error: unknown): void;
}

/** A request that layers may stand around. */
interface Layered extends Metered {
  readonly core: { readonly meters: readonly Meter[] };
  readonly isDone: boolean;
  readonly lifetime: Lifetime;
  /** Whoever waits for what it comes to, while it is being served inside layers. */
  inside: Inside | undefined;
}

/** Serves a request, and gives what it comes to in place of answering. */
export function serveInside(request: Layered, serve: () => void): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    if (request.isDone) reject(cancellation("the request was cancelled"));
    else {
      // A copy: what is kept for all, such as a list, stays as it is whatever layers make of it.
      request.inside = { resolve: (outcome) => resolve({ ...outcome }), reject };
      keepContext(request);
      serve();
    }
  });
}

/** One that waits for its turn is let in by another, and must not go on in the async context of that. */
function keepContext(request: Layered): void {
  const { AsyncResource } = builtin("node:async_hooks");
  const context = new AsyncResource("toolwright request", { requireManualDestroy: true });
  const proceed = request.proceed.bind(request);
  request.proceed = () => context.runInAsyncScope(proceed);
}

/** The work inside is over: it leaves the meters, and what it came to goes to whoever waits for it. */
export function handOut(request: Layered): Inside {
  const inside = request.inside as Inside;
  request.inside = undefined;
  leaveMeters(request.core.meters, request);
  return inside;
}

/** The layers are done: what the request is answered with from now on leaves. */
export function surface(request: Layered): void {
  // A layer that did not wait for the work has answered in its place.
  if (request.inside !== undefined && !request.isDone) request.lifetime.abort("a layer answered the request");
  request.inside = undefined;
}
