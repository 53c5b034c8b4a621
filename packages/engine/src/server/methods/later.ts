import { onDemand } from "../on-demand.js";
import type * as BeyondTools from "./beyond-tools.js";
import type { Method } from "./method.js";

/** Gives the methods that servers with nothing but tools do not need. */
export const loadBeyondTools: () => typeof BeyondTools | Promise<typeof BeyondTools> = onDemand(
  () => import("./beyond-tools.js"),
);

/** A method that is loaded with the start of a server that needs it, or else with the first request for it. */
export function later(name: keyof typeof BeyondTools, isOffered: Method["isOffered"] = () => true): Method {
  return {
    isOffered,
    run(exchange) {
      const methods = loadBeyondTools();
      if (!(methods instanceof Promise)) return methods[name].run(exchange);
      return methods.then((there) => (exchange.isDone ? undefined : there[name].run(exchange)));
    },
  };
}
