import { onDemand } from "../on-demand.js";
import type * as Profiles from "./profiles.js";

/** Gives what rewrites lists for vendors; loaded with the first list for a client of one. */
export const loadProfiles: () => typeof Profiles | Promise<typeof Profiles> = onDemand(() => import("./profiles.js"));
