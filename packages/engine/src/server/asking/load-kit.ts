import { onDemand } from "../on-demand.js";
import type * as Kit from "./kit.js";

/** All that it takes to ask. */
export type AskingKit = typeof Kit;

/** Gives what it takes to ask; few servers ask, so it is loaded at the first question. */
export const loadKit: () => AskingKit | Promise<AskingKit> = onDemand(() => import("./kit.js"));
