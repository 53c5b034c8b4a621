import { ToolError } from "@toolwright/engine";
import type { DoneCheck } from "../tasks/task.js";

/** A done-condition as a caller gives it: the schema leaves open which members go with which kind. */
interface GivenCheck {
  readonly kind: "file_exists" | "command";
  readonly path?: string | undefined;
  readonly command?: readonly string[] | undefined;
}

/** The done-condition that a caller means. Throws where a member is missing, or goes with another kind. */
export function readCheck({ kind, path, command }: GivenCheck): DoneCheck {
  if (kind === "file_exists" && path !== undefined && command === undefined) return { kind, path };
  if (kind === "command" && command !== undefined && path === undefined) return { kind, command };
  const member = kind === "command" ? "command" : "path";
  throw new ToolError(`Cannot take this done_when: kind ${kind} goes with ${member}, and with nothing else.`, {
    code: "INVALID_ARGUMENT",
    details: { argument: "done_when", expected: member },
  });
}
