import type { Call } from "@toolwright/engine";
import { hasUri, toFileUri } from "@toolwright/kit/files";
import type { Author } from "./changes/author.js";
import type { Workstation } from "./workstation.js";

/**
 * Who changes something with a call. What they reach does not end with the call: a change that was begun is brought to its end,
 * and the journal then says so.
 */
export async function authorOf(workstation: Workstation, call: Call, tool: string): Promise<Author> {
  call.signal.throwIfAborted();
  const lasting = {
    signal: new AbortController().signal,
    supports: (what: Parameters<Call["supports"]>[0]) => call.supports(what),
    roots: () => call.roots(),
  };
  return { principal: call.principal ?? "", tool, reach: await workstation.reach(lasting) };
}

/** Tells the clients that watch them which files have changed. Some names have no URI that is safe: they are no resources. */
export function announce({ host }: Workstation, places: readonly string[]): void {
  for (const place of places) if (hasUri(place)) host.notifyResourceUpdated(toFileUri(place));
}
