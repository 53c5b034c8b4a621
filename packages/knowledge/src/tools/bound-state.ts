import type { BoundTools } from "../bound-tools/bound-tools.js";
import type { BoundState } from "../bound-tools/register-tool.js";
import type { KnowledgeContext } from "../knowledge-context.js";

/** What has become of a bound tool, once this server lists it so. */
export async function describeBoundState(context: KnowledgeContext, bound: BoundTools, state: BoundState) {
  await bound.sync(await context.store());
  const { listError } = bound;
  const warnings =
    listError === undefined
      ? []
      : ["This server cannot change its list of tools while it runs: restart it to see the change."];
  return { ...state, warnings };
}
