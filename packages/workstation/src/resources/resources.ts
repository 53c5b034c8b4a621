import type { Resource, ResourceTemplate } from "@toolwright/engine";
import type { Workstation } from "../workstation.js";
import { fileResource } from "./file-resource.js";
import { gitStatusResource } from "./git-status.js";

/** What clients can read and watch: the files of the roots, and what git says of them. */
export const resources = (workstation: Workstation): readonly (Resource | ResourceTemplate)[] => [
  fileResource(workstation),
  gitStatusResource(workstation),
];
