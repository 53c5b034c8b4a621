import type { Call } from "@toolwright/engine";
import type { Desk } from "../desk.js";

/**
 * Who does what a call asks for: the one whom it names, or whom the transport has verified, or whom the settings name, or the
 * client by the name that it gives itself.
 */
export function actorOf(desk: Desk, call: Pick<Call, "principal" | "caller">, named?: string): string | undefined {
  const client = call.caller.info?.["name"];
  const own = typeof client === "string" && client !== "" ? client.replaceAll("\0", "").slice(0, 200) : undefined;
  return named ?? call.principal ?? desk.settings.actor ?? own;
}
