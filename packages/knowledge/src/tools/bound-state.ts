import type { BoundTools } from "../bound-tools/bound-tools.js";
import type { BoundState } from "../bound-tools/register-tool.js";
import type { Base } from "../knowledge-context.js";

/** What has become of a bound tool, once this server lists it so. */
export async function toldOf(base: Base, bound: BoundTools, state: BoundState) {
  await bound.sync(await base.ledger());
  const { cannot } = bound;
  const warnings =
    cannot === undefined
      ? []
      : ["This server cannot change its list of tools while it runs: restart it to see the change."];
  return { ...state, warnings };
}
