import { tool } from "@toolwright/engine";
import { READS } from "../annotations.js";
import { maskEnvironment } from "../machine/mask-environment.js";
import type { Workstation } from "../workstation.js";
import { ENVIRONMENT } from "./debug-outputs.js";

/** Shows the environment of the server without its secrets. */
export const debugPrintEnv = (workstation: Workstation) =>
  tool({
    name: "debug_print_env",
    title: "Environment variables",
    description: "The environment variables of the server, secrets masked.",
    toolset: "debug",
    input: { type: "object", properties: {} },
    output: ENVIRONMENT,
    annotations: READS,
    run: () => ({ ...maskEnvironment(process.env, workstation.host.redaction) }),
  });
