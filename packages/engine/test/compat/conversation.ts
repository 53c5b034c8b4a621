import type { JsonObject, Server } from "@toolwright/engine";
import { Wire } from "../features/wire.js";

/** Does a handshake in `revision`, sends the requests one after the other, and returns the responses to them. */
export async function handshakeWith(
  server: Server,
  requests: readonly JsonObject[],
  revision = "2025-11-25",
): Promise<readonly JsonObject[]> {
  const wire = new Wire(server, revision);
  wire.initialize({});
  await wire.waitFor({ id: "init" });
  wire.send({ method: "notifications/initialized" });
  const responses: JsonObject[] = [];
  for (const request of requests) {
    wire.send(request);
    responses.push(await wire.waitFor({ id: request["id"] as number }));
  }
  return responses;
}
