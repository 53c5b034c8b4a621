import { insufficientScope, invalidParams, shortened } from "../../jsonrpc/errors.js";
import { isObject, type JsonObject } from "../../jsonrpc/json.js";
import type { Outcome } from "../../protocol/outcome.js";
import type { Reading } from "../../schema/schema.js";
import type { Catalogue } from "../catalogue.js";
import type { Exchange } from "../exchange.js";
import { legacyError } from "../legacy-codes.js";
import { hasVendor } from "../lists/clients.js";
import { loadProfiles } from "../lists/load-profiles.js";
import type { RegisteredTool } from "../register-tool.js";
import type { Tool } from "../tool.js";
import { ToolWork } from "../tool-work.js";
import { hasTools } from "./features.js";
import { type Asked, type Method, type QuickMethod, readCursor } from "./method.js";

type Tools = Catalogue<RegisteredTool>;

/** `tools/list` */
export const listTools: QuickMethod = {
  isOffered: hasTools,
  answer(asked) {
    const { core, link, revision, request, caller } = asked;
    const { narrowing } = link;
    const { listed } = narrowing === undefined ? core.registry : narrowing.view(core.registry);
    // A list of which clients share a copy must be the same for all of them.
    if (core.settings.profiles && (hasVendor(caller) || listed.cache.scope === "public"))
      return listForVendor(asked, listed);
    return listed.page(revision, readCursor(request), core.identity);
  },
};

/** `tools/call` */
export const callTool: Method = {
  isOffered: hasTools,
  run(exchange) {
    const params: JsonObject = exchange.request.params ?? {};
    const { name } = params;
    if (typeof name !== "string") throw invalidParams('Invalid params: "name" must be a string');
    const { narrowing } = exchange.link;
    const { registry } = exchange.core;
    const { tools } = narrowing === undefined ? registry : narrowing.view(registry);
    const entry = tools.find(name);
    if (entry === undefined) throw unknownTool(exchange, tools, name);
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

function unknownTool({ core, revision }: Exchange, tools: Tools, name: string): Error {
  const { all, selection } = core.registry;
  const isOff = tools === core.registry.tools && all.find(name) !== undefined;
  const hint = isOff
    ? ` is switched off on this server${selection?.hint === undefined ? "" : `; ${selection.hint}`}`
    : "";
  const message = `Unknown tool: ${shortened(name)}${hint}`;
  const legacy = revision.handshake ? legacyError(core.settings.legacyCodes, "UNKNOWN_TOOL", message) : undefined;
  const nearest = isOff ? undefined : tools.nearestName(name);
  return legacy ?? invalidParams(message, nearest === undefined ? undefined : { didYouMean: nearest });
}

/** The list as the client's vendor takes it. */
function listForVendor(asked: Asked, listed: Tools): Outcome | Promise<Outcome> {
  const { core, revision, request, caller } = asked;
  const cursor = readCursor(request);
  const page = ({ listFor }: Exclude<ReturnType<typeof loadProfiles>, Promise<unknown>>): Outcome =>
    listFor(caller, listed, core.settings.log).page(revision, cursor, core.identity);
  const profiles = loadProfiles();
  return profiles instanceof Promise ? profiles.then(page) : page(profiles);
}
