import type { Completers } from "../complete.js";
import type { Core } from "../core.js";

/** Whether a server has tools; without a feature the methods of it do not exist. */
export const hasTools = ({ offered }: Core): boolean => offered.has("tools");

/** Whether a server has resources. */
export const hasResources = ({ offered }: Core): boolean => offered.has("resources");

/** Whether a server has prompts. */
export const hasPrompts = ({ offered }: Core): boolean => offered.has("prompts");

/** Whether a server completes arguments. */
export const hasCompletions = ({ registry, settings, offered }: Core): boolean =>
  // What can be completed may come later, and clients are told only once.
  (settings.dynamic && (offered.has("prompts") || offered.has("resources"))) ||
  registry.prompts.entries.some(hasCompleters) ||
  registry.templates.entries.some(hasCompleters);

const hasCompleters = ({ completers }: { readonly completers: Completers }): boolean =>
  Object.keys(completers).length > 0;
