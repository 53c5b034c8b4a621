import { invalidParams } from "../../jsonrpc/errors.js";
import { isObject, type JsonObject } from "../../jsonrpc/json.js";
import type { Outcome } from "../../protocol/outcome.js";
import type { Reading } from "../../schema/schema.js";
import type { Core } from "../core.js";
import type { Exchange } from "../exchange.js";
import { legacyError } from "../legacy-codes.js";
import type { RegisteredTool } from "../registry.js";
import { failureResult } from "../tool-result.js";
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
    const reading = entry.input.read(given);
    if (!(reading instanceof Promise)) return start(exchange, entry, reading);
    exchange.last();
    reading.then(
      (checked) => begin(exchange, entry, checked),
      (error: unknown) => exchange.fail(error),
    );
    return undefined;
  },
};

function begin(exchange: Exchange, entry: RegisteredTool, reading: Reading): void {
  try {
    const outcome = start(exchange, entry, reading);
    if (outcome !== undefined) exchange.settle(outcome);
  } catch (error) {
    exchange.fail(error);
  }
}

function start(exchange: Exchange, entry: RegisteredTool, reading: Reading): Outcome | undefined {
  if (!reading.ok) return refuse(exchange, entry, reading);
  exchange.begin(new ToolWork(exchange, entry, reading.value, reading.repairs));
  return undefined;
}

/** Wrong arguments are a result, because a model can only correct what it sees; the switches say otherwise. */
function refuse(
  exchange: Exchange,
  { tool }: RegisteredTool,
  { faults, example }: Extract<Reading, { ok: false }>,
): Outcome {
  const { validationErrors, legacyCodes } = exchange.core.settings;
  const correction = example && `A call that would do: ${JSON.stringify({ name: tool.name, arguments: example })}`;
  const lines = [
    `The arguments of "${tool.name}" are not right:`,
    ...faults.map((fault) => `- ${fault}`),
    ...(correction ? [correction] : []),
  ];
  const message = lines.join("\n");
  const legacy = exchange.revision.handshake ? legacyError(legacyCodes, "INVALID_ARGUMENTS", message) : undefined;
  if (legacy) throw legacy;
  if (validationErrors === "protocol" || (validationErrors === "by-revision" && exchange.revision.argumentsAreParams)) {
    throw invalidParams(message, { faults: [...faults] });
  }
  return {
    kind: "tool",
    result: failureResult(message, { code: "INVALID_ARGUMENTS", faults: [...faults], ...(example && { example }) }),
  };
}

function unknownTool({ core, revision }: Exchange, name: string): Error {
  const nearest = core.registry.nearestName(name);
  const message = `Unknown tool: ${name}`;
  const legacy = revision.handshake ? legacyError(core.settings.legacyCodes, "UNKNOWN_TOOL", message) : undefined;
  return legacy ?? invalidParams(message, nearest === undefined ? undefined : { didYouMean: nearest });
}
