import { type Call, ToolError } from "@toolwright/engine";
import type { Workstation } from "./workstation.js";

/** What a deed does that a person may want to be asked about: `irreversible` is what even the journal cannot bring back. */
export type Deed = "irreversible" | "destructive";

/** Whether a person is asked before such a deed: the settings say when, and the client must be able to. */
export const isAskedFor = ({ settings }: Workstation, call: Pick<Call, "supports">, kind: Deed): boolean =>
  call.supports("elicit") && (settings.ask === "destructive" || settings.ask === kind);

/**
 * Asks a person before a deed, such as "Delete notes.txt", where the settings want that. Throws where they decline. The tool may
 * run again from the top with the answer, so nothing may be changed before.
 */
export async function askFirst(
  workstation: Workstation,
  call: Pick<Call, "supports" | "elicit">,
  deed: string,
  kind: Deed,
): Promise<void> {
  if (!isAskedFor(workstation, call, kind)) return;
  const warning = kind === "irreversible" ? " This cannot be undone." : "";
  const answer = await call.elicit("confirm", `${deed}?${warning}`, FORM);
  if (answer?.sure === true) return;
  throw new ToolError(`Not done: the person who was asked did not agree to "${deed}". Do not try it in another way.`, {
    code: "FORBIDDEN_COMMAND",
    details: { declined: deed },
  });
}

const FORM = { type: "object", properties: { sure: { type: "boolean", title: "Yes" } }, required: ["sure"] } as const;
