import { invalidParams, shortened } from "../../jsonrpc/errors.js";
import { isObject, type JsonObject } from "../../jsonrpc/json.js";
import type { Reading } from "../../schema/schema.js";
import { refuseArguments } from "../arguments.js";
import type { Core } from "../core.js";
import type { Exchange } from "../exchange.js";
import { legacyError } from "../legacy-codes.js";
import type { RegisteredTool } from "../registry.js";
import { ToolWork } from "../tool-work.js";
import type { Method } from "./method.js";

const isOffered = ({ registry, settings }: Core): boolean => registry.tools.length > 0 || settings.dynamic;

/** `tools/list` */
export const listTools: Method = {
  isOffered,
  run({ core, revision, request }) {
    const cursor = request.params?.["cursor"];
    if (cursor !== undefined && typeof cursor !== "string")
      throw invalidParams("Invalid params: cursor must be a string");
    return { kind: "text", body: core.registry.page(revision, cursor, core.identity) };
  },
};

/** `tools/call` */
export const callTool: Method = {
  isOffered,
  run(exchange) {
    const params: JsonObject = exchange.request.params ?? {};
    const { name } = params;
    if (typeof name !== "string") throw invalidParams('Invalid params: "name" must be a string');
    const entry = exchange.core.registry.find(name);
    if (entry === undefined) throw unknownTool(exchange, name);
    const given = params["arguments"] ?? {};
    // Some clients send the arguments as JSON in a string; where repair is on, the schema reads them.
    if (!isObject(given) && !(entry.repairs && typeof given === "string")) {
      throw invalidParams('Invalid params: "arguments" must be an object');
    }
    const reading = readArguments(entry, given);
    if (!(reading instanceof Promise) && !reading.ok) return refuseArguments(exchange, entry, reading);
    exchange.begin(new ToolWork(exchange, entry, reading));
    return undefined;
  },
};

/** A schema that throws is a fault of the tool, and told like one. */
function readArguments({ input }: RegisteredTool, given: unknown): Reading | Promise<Reading> {
  try {
    return input.read(given);
  } catch (error) {
    return Promise.reject(error);
  }
}

function unknownTool({ core, revision }: Exchange, name: string): Error {
  const nearest = core.registry.nearestName(name);
  const message = `Unknown tool: ${shortened(name)}`;
  const legacy = revision.handshake ? legacyError(core.settings.legacyCodes, "UNKNOWN_TOOL", message) : undefined;
  return legacy ?? invalidParams(message, nearest === undefined ? undefined : { didYouMean: nearest });
}
