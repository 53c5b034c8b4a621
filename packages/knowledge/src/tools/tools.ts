import type { PackHost, Tool } from "@toolwright/engine";
import type { BoundTools } from "../bound-tools/bound-tools.js";
import type { KnowledgeContext } from "../knowledge-context.js";
import { kbActivateTool } from "./kb-activate-tool.js";
import { kbAnswerTool } from "./kb-answer.js";
import { kbComposeFlowTool } from "./kb-compose-flow.js";
import { kbCreateTool } from "./kb-create.js";
import { kbDeactivateTool } from "./kb-deactivate-tool.js";
import { kbDeleteTool } from "./kb-delete.js";
import { kbEvaluateTool } from "./kb-evaluate.js";
import { kbExportTool } from "./kb-export.js";
import { kbGetDocumentTool } from "./kb-get-document.js";
import { kbHybridSearchTool } from "./kb-hybrid-search.js";
import { kbImportTool } from "./kb-import.js";
import { kbIngestTool } from "./kb-ingest.js";
import { kbListCollectionsTool } from "./kb-list-collections.js";
import { kbPinTool } from "./kb-pin.js";
import { kbPromoteTool } from "./kb-promote.js";
import { kbRegisterTool } from "./kb-register-tool.js";
import { kbResolveCitationsTool } from "./kb-resolve-citations.js";
import { kbRollbackTool } from "./kb-rollback.js";
import { kbStatsTool } from "./kb-stats.js";
import { kbVersionsTool } from "./kb-versions.js";

/** Every tool of the pack, in the order in which they are listed; where nothing may be changed, those that only read. */
export function tools(context: KnowledgeContext, host: Pick<PackHost, "tools">, bound: BoundTools): readonly Tool[] {
  const all: readonly Tool[] = [
    kbHybridSearchTool(context),
    kbGetDocumentTool(context),
    kbResolveCitationsTool(context),
    kbStatsTool(context),
    kbListCollectionsTool(context),
    kbAnswerTool(context),
    kbComposeFlowTool(context),
    kbCreateTool(context),
    kbIngestTool(context),
    kbDeleteTool(context),
    kbVersionsTool(context),
    kbPromoteTool(context),
    kbRollbackTool(context),
    kbPinTool(context),
    kbEvaluateTool(context),
    kbExportTool(context),
    kbImportTool(context),
    kbRegisterTool(context, host, bound),
    kbActivateTool(context, bound),
    kbDeactivateTool(context, bound),
  ];
  return context.settings.read_only ? all.filter(({ annotations }) => annotations?.readOnlyHint === true) : all;
}
