import type { JsonObject } from "../jsonrpc/json.js";
import type { Caller } from "../protocol/caller.js";
import type { Outcome } from "../protocol/outcome.js";
import { revision20260728 as newer } from "./2026-07-28.js";
import { type Revision, toolMembers } from "./revision.js";

const NOBODY: Caller = { info: undefined, capabilities: {}, logLevel: undefined };

/** The newest revision with a handshake: a session remembers who calls, and results carry nothing but themselves. */
export const revision20251125: Revision = {
  ...newer,
  version: "2025-11-25",
  handshake: true,
  methods: new Set(["initialize", "ping", "logging/setLevel", "tools/list", "tools/call"]),

  readCaller: (_request, remembered) => remembered ?? NOBODY,

  writeResult(outcome: Outcome): string {
    switch (outcome.kind) {
      case "text":
        return outcome.body;
      case "tool": {
        const { meta } = outcome.result;
        return `{${toolMembers(this, outcome.result)}${meta === undefined ? "" : `,"_meta":${JSON.stringify(meta)}`}}`;
      }
      case "plain":
        return JSON.stringify(outcome.body);
      case "input_required":
        throw new TypeError("A handshake revision asks with a request of its own, never with a result");
    }
  },

  writeTool: (tool) => {
    // A schema that is no object schema, and with it the value, does not exist before the stateless revision.
    const { outputSchema, ...rest } = tool;
    return (outputSchema?.["type"] === "object" ? tool : rest) as unknown as JsonObject;
  },
  writeStructured: (json) => (json?.startsWith("{") ? json : undefined),
};
