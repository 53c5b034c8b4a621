import type * as BeyondTools from "./beyond-tools.js";
import type { Method } from "./method.js";

let loaded: typeof BeyondTools | Promise<typeof BeyondTools> | undefined;

/** Loads the methods that servers with nothing but tools do not need. They are there at once from then on. */
export function loadBeyondTools(): typeof BeyondTools | Promise<typeof BeyondTools> {
  loaded ??= import("./beyond-tools.js").then((methods) => {
    loaded = methods;
    return methods;
  });
  return loaded;
}

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
