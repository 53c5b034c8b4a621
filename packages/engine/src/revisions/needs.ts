import { isObject, type JsonObject } from "../jsonrpc/json.js";
import type { Question } from "../protocol/outcome.js";

/** The capabilities that a client must have declared to be asked this, as the newest revision divides them. */
export function needsOf({ method, params }: Question): JsonObject {
  switch (method) {
    case "elicitation/create":
      return { elicitation: params["mode"] === "url" ? { url: {} } : {} };
    case "sampling/createMessage": {
      const { tools, includeContext } = params;
      const isContextUsed = includeContext !== undefined && includeContext !== "none";
      return { sampling: { ...(tools !== undefined && { tools: {} }), ...(isContextUsed && { context: {} }) } };
    }
    case "roots/list":
      return { roots: {} };
  }
}

/** The same needs where capabilities have no parts yet. */
export function wholeNeeds(needs: JsonObject): JsonObject {
  return Object.fromEntries(Object.keys(needs).map((name) => [name, {}]));
}

/** Whether a client that declared these capabilities can be asked for what is needed. */
export function isDeclared(declared: JsonObject, needs: JsonObject): boolean {
  return Object.entries(needs).every(([name, parts]) => {
    const given = declared[name];
    if (!isObject(given)) return false;
    const wanted = Object.keys(parts as JsonObject);
    // Forms need no mention, but a client that names pages alone has none.
    if (name === "elicitation" && wanted.length === 0) return "form" in given || !("url" in given);
    return wanted.every((part) => isObject(given[part]));
  });
}
