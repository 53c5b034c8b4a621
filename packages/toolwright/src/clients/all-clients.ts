import { ASSISTANTS } from "./assistants.js";
import type { Client } from "./client.js";
import { EDITORS } from "./editors.js";

/** Every client that has a file of its own, in the order in which they are shown. */
export const CLIENTS: readonly Client[] = [...ASSISTANTS, ...EDITORS];
