import { adaptSchema, VENDOR_RULES, type Vendor } from "../../schema/portable/vendor-profiles.js";
import type { Catalog } from "../catalog.js";
import type { RegisteredTool } from "../definitions/tool.js";
import type { Logger } from "../logging/log.js";

type Tools = Catalog<RegisteredTool>;

const VENDORS = new Set(VENDOR_RULES.flatMap(({ vendors }) => vendors));

/** The adapted lists by vendor. Each caches its pages like the original list. */
const adaptedLists = new WeakMap<Tools, Map<Vendor | undefined, Tools>>();

/** Adapts the schemas of a tool list to the vendor of a client. Returns the list itself if it needs no change. */
export function adaptToolList(vendor: Vendor | undefined, tools: Tools, log: Logger): Tools {
  const lists = adaptedLists.get(tools) ?? new Map<Vendor | undefined, Tools>();
  let adapted = lists.get(vendor);
  if (adapted === undefined) {
    const entries =
      vendor === undefined ? tools.entries : tools.entries.flatMap((entry) => adaptEntry(entry, vendor, log) ?? []);
    // A list that differs for some vendor must not be cached for all clients.
    adapted = suitsAllVendors(tools) ? tools : tools.replaceEntries(entries, false);
    adaptedLists.set(tools, lists.set(vendor, adapted));
  }
  return adapted;
}

function suitsAllVendors({ entries }: Tools): boolean {
  return entries.every(({ input: { jsonSchema } }) =>
    [...VENDORS].every((vendor) => adaptSchema(jsonSchema, vendor).schema === jsonSchema),
  );
}

/** The tool with a schema that the vendor accepts; undefined: it is not listed, so that the client can use the others. */
function adaptEntry(entry: RegisteredTool, vendor: Vendor, log: Logger): RegisteredTool | undefined {
  const { tool, input } = entry;
  const { jsonSchema } = input;
  const adapted = adaptSchema(jsonSchema, vendor);
  if (adapted.schema === jsonSchema) return entry;
  // Only the listed schema changes; calls are validated against the original one.
  if (adapted.schema !== undefined)
    return { ...entry, input: { jsonSchema: adapted.schema, validate: (value) => input.validate(value) } };
  log({
    level: "warning",
    message: `tool "${tool.name}" is not listed for clients of ${vendor}, which would reject it: it ${adapted.problem}. ${adapted.advice}`,
  });
  return undefined;
}
