import { ToolError } from "@toolwright/engine";

/** A file is no pack, or not whole. */
export const damaged = (path: string, reason: string): ToolError =>
  new ToolError(`Cannot import ${JSON.stringify(path)}: ${reason}. Nothing was changed; export it again.`, {
    code: "PARSE_FAILED",
    details: { path },
  });

/** A pack was written by a later version of this program. */
export const tooNew = (path: string, form: number, known: number): ToolError =>
  new ToolError(
    `Cannot import ${JSON.stringify(path)}: it has form ${form}, and this program reads up to ${known}. Use a newer one.`,
    { code: "VERSION_MISMATCH", details: { path, expected: known, got: form } },
  );

/** A pack has more in it than is taken. */
export const tooLarge = (path: string, reason: string): ToolError =>
  new ToolError(`Cannot import ${JSON.stringify(path)}: ${reason}. Nothing was changed.`, {
    code: "TOO_LARGE",
    details: { path },
  });
