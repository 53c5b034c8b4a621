import { tool } from "@toolwright/engine";
import { READS } from "../annotations.js";
import { userFacts } from "../machine/server-facts.js";
import { USER } from "./debug-outputs.js";

/** Tells who calls. */
export const debugGetUserClaims = () =>
  tool({
    name: "debug_get_user_claims",
    title: "Who calls",
    description: "Who calls, and with which scopes.",
    toolset: "debug",
    input: { type: "object", properties: {} },
    output: USER,
    annotations: READS,
    run: (_input, call) => userFacts(call),
  });
