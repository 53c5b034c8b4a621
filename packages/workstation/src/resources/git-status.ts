import { resource } from "@toolwright/engine";
import { readStatus, toStatusResult } from "@toolwright/kit/git";
import { repositoryOf, STATUS_URI } from "../tools/git-shapes.js";
import type { Workstation } from "../workstation.js";

/** How many files are named; `git_status` has all, page by page. */
const MOST_ENTRIES = 300;

/** The status of the repository of the first root. Who watches it hears when the tools of this server have changed it. */
export const gitStatusResource = (workstation: Workstation) =>
  resource({
    uri: STATUS_URI,
    name: "git-status",
    title: "Git status",
    description: "What differs in the working tree; notices come for what this server stages and commits.",
    mimeType: "application/json",
    async read(call) {
      const repository = await repositoryOf(workstation, call, ".");
      return JSON.stringify(toStatusResult(repository, await readStatus(repository, 0, MOST_ENTRIES)));
    },
  });
