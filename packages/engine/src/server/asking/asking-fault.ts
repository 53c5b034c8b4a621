import type { Exchange } from "../exchange.js";

/** Why nobody can be asked in the middle of this request: the protocol lets only some end with a question. */
export function askingFault({ kind, request }: Exchange): string | undefined {
  if (kind === "completion") return "A completion cannot ask: only tools, prompts and resources can";
  if (request.method === "resources/list")
    return "A list cannot ask: only tools, prompts and the reading of resources can";
  return undefined;
}
