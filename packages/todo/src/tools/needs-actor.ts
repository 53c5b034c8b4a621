import { ToolError } from "@toolwright/engine";

/** Who acts, where somebody must be named. Throws where nobody is. */
export function needsActor(actor: string | undefined): string {
  if (actor !== undefined) return actor;
  throw new ToolError("Cannot tell who you are: give your name as actor.", {
    code: "INVALID_ARGUMENT",
    details: { argument: "actor" },
  });
}
