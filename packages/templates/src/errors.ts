import { type Json, ToolError } from "@toolwright/engine";
import type { ParameterFault } from "./format/parameters.js";

/** No template has this URI. */
export const templateNotFound = (uri: string, meant: string | undefined): ToolError =>
  new ToolError(
    `There is no template ${uri}.${meant === undefined ? "" : ` Did you mean ${meant}?`} list_templates has them all.`,
    { code: "TEMPLATE_NOT_FOUND", details: { got: uri, ...(meant !== undefined && { suggestion: meant }) } },
  );

/** The parameters will not do; all that is wrong with them. */
export const wrongParameters = (uri: string, faults: readonly ParameterFault[]): ToolError =>
  // The engine has this name for arguments that are not what a tool takes, and a number for it in older numberings.
  new ToolError(
    `Cannot fill in ${uri}: ${faults.map(({ field, message }) => `${field} ${message.replace(/\.$/, "")}`).join("; ")}.`,
    {
      code: "INVALID_ARGUMENTS",
      details: { template: uri, errors: faults as unknown as Json },
    },
  );

/** The template itself is at fault, or asks for too much. */
export const templateFailed = (uri: string, reason: string, code: "PARSE_FAILED" | "TOO_LARGE", cause: unknown) =>
  new ToolError(`The template ${uri} cannot be rendered: ${reason}.`, { code, details: { template: uri }, cause });
