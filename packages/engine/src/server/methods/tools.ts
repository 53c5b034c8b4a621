import { insufficientScope, invalidParams, shortened } from "../../jsonrpc/errors.js";
import { isObject, type JsonObject } from "../../jsonrpc/json.js";
import type { Reading } from "../../schema/schema.js";
import type { Exchange } from "../exchange.js";
import { legacyError } from "../legacy-codes.js";
import type { RegisteredTool } from "../register-tool.js";
import type { Tool } from "../tool.js";
import { ToolWork } from "../tool-work.js";
import { hasTools } from "./features.js";
import { type Method, type QuickMethod, readCursor } from "./method.js";

/** `tools/list` */
export const listTools: QuickMethod = {
  isOffered: hasTools,
  answer({ core, revision, request }) {
    return { kind: "text", body: core.registry.tools.page(revision, readCursor(request), core.identity) };
  },
};

/** `tools/call` */
export const callTool: Method = {
  isOffered: hasTools,
  run(exchange) {
    const params: JsonObject = exchange.request.params ?? {};
    const { name } = params;
    if (typeof name !== "string") throw invalidParams('Invalid params: "name" must be a string');
    const entry = exchange.core.registry.tools.find(name);
    if (entry === undefined) throw unknownTool(exchange, name);
    refuseUnscoped(exchange, entry.tool);
    const given = params["arguments"] ?? {};
    // Some clients send the arguments as JSON in a string; where repair is on, the schema reads them.
    if (!isObject(given) && !(entry.repairs && typeof given === "string")) {
      throw invalidParams('Invalid params: "arguments" must be an object');
    }
    const { tasks } = exchange.core;
    if (tasks?.open(exchange, entry.tool, () => begin(exchange, entry, given)) !== true) begin(exchange, entry, given);
    return undefined;
  },
};

/** Where clients are told apart by what they may do, a tool is called only by those who may. */
function refuseUnscoped({ link }: Exchange, { name, scopes }: Tool): void {
  const granted = link.scopes;
  if (granted === undefined || scopes === undefined || scopes.every((scope) => granted.has(scope))) return;
  throw insufficientScope(`The tool ${name}`, scopes);
}

function begin(exchange: Exchange, entry: RegisteredTool, given: unknown): void {
  exchange.begin(new ToolWork(exchange, entry, readArguments(entry, given)));
}

/** A schema that throws is a fault of the tool, and told like one. */
function readArguments({ input }: RegisteredTool, given: unknown): Reading | Promise<Reading> {
  try {
    return input.read(given);
  } catch (error) {
    return Promise.reject(error);
  }
}

function unknownTool({ core, revision }: Exchange, name: string): Error {
  const nearest = core.registry.tools.nearestName(name);
  const message = `Unknown tool: ${shortened(name)}`;
  const legacy = revision.handshake ? legacyError(core.settings.legacyCodes, "UNKNOWN_TOOL", message) : undefined;
  return legacy ?? invalidParams(message, nearest === undefined ? undefined : { didYouMean: nearest });
}
