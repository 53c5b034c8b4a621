import { resourceTemplate } from "@toolwright/engine";
import type { Workstation } from "../workstation.js";

/** The files of the roots. The list has those that lie directly in a root; all others can be read by their URI. */
export const fileResource = (workstation: Workstation) =>
  resourceTemplate({
    uri: "file:///{+path}",
    name: "file",
    title: "Files",
    description: "A file inside the allowed folders, up to 4 MiB.",
    complete: { path: async (typed, _others, call) => (await load()).suggestPaths(workstation, typed, call) },
    list: async (_after, call) => ({ resources: await (await load()).listFileResources(workstation, call) }),
    read: async ({ path: below }, call) => (await load()).readFileResource(workstation, String(below), call),
  });

/** Loaded when a client first asks for a file. */
const load = () => import("./read-file-resource.js");
