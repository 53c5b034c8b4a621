import type { Tool } from "@toolwright/engine";
import type { Workstation } from "../workstation.js";
import { ciDiagnostics } from "./ci-diagnostics.js";
import { debugGetAll } from "./debug-get-all.js";
import { debugGetHttpHeaders } from "./debug-get-http-headers.js";
import { debugGetServerInfo } from "./debug-get-server-info.js";
import { debugGetUserClaims } from "./debug-get-user-claims.js";
import { debugPrintEnv } from "./debug-print-env.js";

/** The tools that tell of the machine and the server. */
export const debugTools = (workstation: Workstation): readonly Tool[] => [
  ciDiagnostics(workstation),
  debugPrintEnv(workstation),
  debugGetServerInfo(workstation),
  debugGetHttpHeaders(workstation),
  debugGetUserClaims(),
  debugGetAll(workstation),
];
