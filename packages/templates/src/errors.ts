import { type Json, ToolError } from "@toolwright/engine";
import type { ParameterError } from "./format/parameters.js";

/** No template has this URI. */
export const templateNotFound = (uri: string, suggestion: string | undefined): ToolError =>
  new ToolError(`There is no template ${uri}.${suggestion === undefined ? "" : ` Did you mean ${suggestion}?`}`, {
    code: "TEMPLATE_NOT_FOUND",
    hint: { action: "list the templates", tool: "list_templates" },
    details: { got: uri, ...(suggestion !== undefined && { suggestion }) },
  });

/** The parameters are invalid; the error has all their errors. */
export const invalidParameters = (uri: string, errors: readonly ParameterError[]): ToolError =>
  // The engine has this name, too, and maps it to a number for clients that want numbers.
  new ToolError(
    `Cannot render ${uri}: ${errors.map(({ field, message }) => `${field} ${message.replace(/\.$/, "")}`).join("; ")}.`,
    { code: "INVALID_ARGUMENTS", details: { template: uri, errors: errors as unknown as Json } },
  );

/** The template itself is invalid, or exceeds a limit. */
export const templateFailed = (uri: string, reason: string, code: "PARSE_FAILED" | "TOO_LARGE", cause?: unknown) =>
  new ToolError(`The template ${uri} cannot be rendered: ${reason}.`, { code, details: { template: uri }, cause });
