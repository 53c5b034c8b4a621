import type { Caller } from "../../protocol/caller.js";
import { fitSchema } from "../../schema/portable/fit-schema.js";
import type { Vendor } from "../../schema/portable/rules.js";
import type { Catalogue } from "../catalogue.js";
import type { Log } from "../log.js";
import type { RegisteredTool } from "../register-tool.js";
import { hasVendor, VENDORS, vendorOf } from "./clients.js";

type Tools = Catalogue<RegisteredTool>;

/** What each vendor is shown of a list, which keeps its pages as the list itself does. */
const SHOWN = new WeakMap<Tools, Map<Vendor | "other", Tools>>();

/** A list of tools as the client's vendor takes it: the list itself where nothing is wrong with it. */
export function listFor(caller: Caller, tools: Tools, log: Log): Tools {
  const vendor = (hasVendor(caller) && vendorOf(caller)) || "other";
  const known = SHOWN.get(tools) ?? new Map<Vendor | "other", Tools>();
  const shown = known.get(vendor) ?? show(tools, vendor, log);
  SHOWN.set(tools, known.set(vendor, shown));
  return shown;
}

/** What is another list for some must not be kept for all. */
function show(tools: Tools, vendor: Vendor | "other", log: Log): Tools {
  const shown = vendor === "other" ? tools : rewrite(tools, vendor, log);
  return shown !== tools || isForAll(tools) ? shown : tools.having(tools.entries, false);
}

function isForAll({ cache, entries }: Tools): boolean {
  const isFit = ({ input: { json } }: RegisteredTool) =>
    VENDORS.every((vendor) => fitSchema(json, vendor).schema === json);
  return cache.scope === "private" || entries.every(isFit);
}

function rewrite(tools: Tools, vendor: Vendor, log: Log): Tools {
  const entries = tools.entries.map((entry) => fitEntry(entry, vendor, log)).filter((entry) => entry !== undefined);
  const isSame = entries.length === tools.entries.length && entries.every((entry, at) => entry === tools.entries[at]);
  return isSame ? tools : tools.having(entries, false);
}

/** The tool with a schema that the vendor takes; undefined = it is set aside, so that the others can live. */
function fitEntry(entry: RegisteredTool, vendor: Vendor, log: Log): RegisteredTool | undefined {
  const { tool, input } = entry;
  const { json } = input;
  const { schema, ...why } = fitSchema(json, vendor);
  if (schema === json) return entry;
  // Only what is listed is another: calls find the tool itself.
  if (schema !== undefined) return { ...entry, input: { json: schema, read: (value) => input.read(value) } };
  const { fault, advice } = why as { fault: string; advice: string };
  log({
    level: "warning",
    message: `tool "${tool.name}" is not listed for clients of ${vendor}, which would refuse it: it ${fault}. ${advice}`,
  });
  return undefined;
}
