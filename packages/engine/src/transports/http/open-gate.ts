import type { Server } from "../../server/server.js";
import type { Gate } from "./gate.js";
import type { EndpointSettings } from "./options.js";

/** The gate that the options ask for, if any; `localPort` is where the server listens, in a host that knows. */
export async function openGate(
  server: Server,
  { auth, path, publicUrl, sse }: EndpointSettings,
  localPort?: () => number | undefined,
): Promise<Gate | undefined> {
  if (auth === undefined) return undefined;
  const toolScopes = () => server.tools.flatMap(({ scopes }) => scopes ?? []);
  const { createGate } = await import("./auth/create-gate.js");
  return createGate(auth, { path, publicUrl, sse, localPort, toolScopes }, (entry) => server.log(entry));
}
