import { tool } from "@toolwright/engine";
import { READS } from "../annotations.js";
import { httpFacts } from "../machine/server-facts.js";
import type { Workstation } from "../workstation.js";
import { HTTP } from "./debug-outputs.js";

/** Shows with which headers a call came, without their secrets. */
export const debugGetHttpHeaders = (workstation: Workstation) =>
  tool({
    name: "debug_get_http_headers",
    title: "HTTP headers",
    description: "The HTTP headers of this call, secrets masked.",
    toolset: "debug",
    input: { type: "object", properties: {} },
    output: HTTP,
    annotations: READS,
    run: (_input, call) => httpFacts(call, workstation.host),
  });
