import type { JsonObject } from "../../jsonrpc/json.js";
import { SCHEMA_RULES, type Vendor } from "./rules.js";

/** A schema as a vendor takes it, the same object where nothing is wrong with it; or why there is none. */
export type Fitting =
  | { readonly schema: JsonObject; readonly fault?: undefined }
  | { readonly schema?: undefined; readonly fault: string; readonly advice: string };

/** Rewrites an input schema for a vendor. */
export function fitSchema(given: JsonObject, vendor: Vendor): Fitting {
  let schema = given;
  for (const { vendors, find, mend, advice } of SCHEMA_RULES) {
    if (!vendors.includes(vendor)) continue;
    const fault = find(schema);
    if (fault === undefined) continue;
    const mended = mend?.(schema);
    if (mended === undefined) return { fault, advice };
    schema = mended;
  }
  return { schema };
}
