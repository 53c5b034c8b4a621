import { tool } from "@toolwright/engine";
import { READS } from "../annotations.js";
import { maskEnvironment } from "../machine/mask-environment.js";
import { httpFacts, serverFacts, userFacts } from "../machine/server-facts.js";
import type { Workstation } from "../workstation.js";
import { ENVIRONMENT, HTTP, SERVER, USER } from "./debug-outputs.js";

/** Tells all that the other debug tools tell. */
export const debugGetAll = (workstation: Workstation) =>
  tool({
    name: "debug_get_all",
    title: "All debug facts",
    description: "All that the debug_ tools tell, in one answer.",
    toolset: "debug",
    input: { type: "object", properties: {} },
    output: {
      type: "object",
      properties: { environment: ENVIRONMENT, server: SERVER, http: HTTP, user: USER },
      required: ["environment", "server", "http", "user"],
    },
    annotations: READS,
    run: async (_input, call) => ({
      environment: { ...maskEnvironment(process.env, workstation.host.redaction) },
      server: { ...serverFacts(workstation.host), roots: [...(await workstation.reach(call)).roots] },
      http: httpFacts(call, workstation.host),
      user: userFacts(call),
    }),
  });
