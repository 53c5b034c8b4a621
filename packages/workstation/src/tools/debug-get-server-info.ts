import { tool } from "@toolwright/engine";
import { READS } from "../annotations.js";
import { serverFacts } from "../machine/server-facts.js";
import type { Workstation } from "../workstation.js";
import { SERVER } from "./debug-outputs.js";

/** Tells of the server and its process. */
export const debugGetServerInfo = (workstation: Workstation) =>
  tool({
    name: "debug_get_server_info",
    title: "Server",
    description: "Version, uptime, memory and roots of the server.",
    toolset: "debug",
    input: { type: "object", properties: {} },
    output: SERVER,
    annotations: READS,
    run: async (_input, call) => ({
      ...serverFacts(workstation.host),
      roots: [...(await workstation.reach(call)).roots],
    }),
  });
