import path from "node:path";
import type { PackContents, PackHost } from "@toolwright/kit/pack";
import { commitMessage, fixFailingTest } from "./prompts.js";
import { fileResource, gitStatusResource } from "./resources/resources.js";
import type { Settings } from "./settings.js";
import { buildTools } from "./tools/builds.js";
import { commandTools } from "./tools/commands.js";
import { diagnosticTools } from "./tools/diagnostics.js";
import { editTools } from "./tools/edit-files.js";
import { gitCommitTools } from "./tools/git-commit.js";
import { gitReadTools } from "./tools/git-read.js";
import { listTools } from "./tools/list-files.js";
import { manageTools } from "./tools/manage-files.js";
import { fsReadFile } from "./tools/read-file.js";
import { undoTools } from "./tools/undo.js";
import { Workstation } from "./workstation.js";

/** Opens the pack. */
export function openPack(settings: Settings, host: PackHost): PackContents {
  const stateFolder = path.join(host.stateFolder, "workstation");
  const workstation = new Workstation({ settings, stateFolder, host, policy: host.files });
  const createTools = [
    listTools,
    editTools,
    manageTools,
    undoTools,
    gitReadTools,
    gitCommitTools,
    buildTools,
    commandTools,
    diagnosticTools,
  ];
  return {
    tools: [fsReadFile(workstation), ...createTools.flatMap((create) => create(workstation))],
    resources: [fileResource(workstation), gitStatusResource(workstation)],
    prompts: [commitMessage(workstation), fixFailingTest],
    close: () => workstation.close(),
  };
}
