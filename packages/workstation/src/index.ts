import path from "node:path";
import { pack } from "@toolwright/engine";
import { AccessPolicy, startFolders } from "@toolwright/kit/files";
import { prompts } from "./prompts/prompts.js";
import { resources } from "./resources/resources.js";
import { SETTINGS } from "./settings.js";
import { buildTools } from "./tools/build-tools.js";
import { changeTools } from "./tools/change-tools.js";
import { debugTools } from "./tools/debug-tools.js";
import { fileTools } from "./tools/file-tools.js";
import { gitTools } from "./tools/git-tools.js";
import { switchedOn } from "./tools/switches.js";
import { Workstation } from "./workstation.js";

/** Files, git and builds of the folders that it may use; what it keeps lies in `state`, and its server's settings in `configuration`. */
export const createWorkstation = (state: string, configuration?: string) =>
  pack({
    name: "workstation",
    settings: SETTINGS,
    prevalidated: true,
    async open(settings, host) {
      const grant = await AccessPolicy.open(settings, {
        ...(await startFolders()),
        own: ownPlaces(state),
        configuration,
      });
      const workstation = new Workstation({ settings, state: path.join(state, "workstation"), host, grant });
      const tools = [fileTools, changeTools, gitTools, buildTools, debugTools].flatMap((make) => make(workstation));
      return {
        tools: switchedOn(settings, tools),
        resources: resources(workstation),
        prompts: prompts(workstation),
        close: () => workstation.close(),
      };
    },
  });

/** What lies in the folder for state, and the folder itself: where it is a root, the rest of it is not the server's. */
const ownPlaces = (state: string): readonly string[] => [
  state,
  ...[
    "workstation",
    "analysis",
    "results",
    "recordings",
    ...databaseFiles("tasks.db"),
    ...databaseFiles("todo.db"),
  ].map((name) => path.join(state, name)),
];

/** SQLite keeps a database in up to three files. */
const databaseFiles = (name: string): readonly string[] => ["", "-wal", "-shm"].map((end) => name + end);
