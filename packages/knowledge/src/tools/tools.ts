import type { PackHost, Tool } from "@toolwright/engine";
import type { BoundTools } from "../bound-tools/bound-tools.js";
import type { KnowledgeContext } from "../knowledge-context.js";
import { TOOLSETS } from "../toolsets.js";
import { collectionTools } from "./collection-tools.js";
import { searchTools } from "./search-tools.js";
import { versionTools } from "./version-tools.js";

/** All tools in the order of the list; with the setting `readOnly` only those that change nothing. */
export function tools(
  context: KnowledgeContext,
  host: Pick<PackHost, "tools">,
  boundTools: BoundTools,
): readonly Tool[] {
  const all = [...searchTools(context), ...collectionTools(context), ...versionTools(context, host, boundTools)];
  const names: readonly string[] = Object.values(TOOLSETS).flat();
  const position = ({ name }: Tool): number => (names.includes(name) ? names.indexOf(name) : names.length);
  return all
    .toSorted((one, other) => position(one) - position(other))
    .filter(({ annotations }) => !context.settings.readOnly || annotations?.readOnlyHint === true);
}
