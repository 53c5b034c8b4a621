import { resource, resourceTemplate } from "@toolwright/engine";
import { readStatus, toStatusResult } from "@toolwright/kit/git";
import { openCallRepository, STATUS_URI } from "../tools/git-schemas.js";
import type { Workstation } from "../workstation.js";

/** A larger file is not a resource: it is read in pages, with fs_read_file. */
export const MAX_RESOURCE_BYTES = 4 * 1024 * 1024;

/** The files of the allowed folders. Those directly in a root are listed; all others can be read by their URI. */
export const fileResource = (workstation: Workstation) =>
  resourceTemplate({
    uri: "file:///{+path}",
    name: "file",
    title: "Files",
    description: "A file in the allowed folders, up to 4 MiB.",
    requires: ["fs_read_file"],
    complete: { path: async (prefix, _others, call) => (await load()).suggestPaths(workstation, prefix, call) },
    list: async (_after, call) => ({ resources: await (await load()).listFileResources(workstation, call) }),
    read: async ({ path }, call) => (await load()).readFileResource(workstation, String(path), call),
  });

/** Loaded when a client first uses the resource. */
const load = () => import("./file-resource.js");

/** How many files are listed; `git_status` lists all, in pages. */
const MAX_ENTRIES = 300;

/** The status of the repository of the first root. Subscribers are notified of changes by the tools of this server. */
export const gitStatusResource = (workstation: Workstation) =>
  resource({
    uri: STATUS_URI,
    name: "git-status",
    title: "Git status",
    description: "The status of the working tree. Subscribers are notified when this server stages or commits.",
    mimeType: "application/json",
    requires: ["git_status"],
    async read(call) {
      const repository = await openCallRepository(workstation, call, ".");
      return JSON.stringify(toStatusResult(repository, await readStatus(repository, 0, MAX_ENTRIES)));
    },
  });
