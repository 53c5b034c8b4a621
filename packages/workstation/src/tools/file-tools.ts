import type { Tool } from "@toolwright/engine";
import type { Workstation } from "../workstation.js";
import { fsDirectoryExists } from "./fs-directory-exists.js";
import { fsFileExists } from "./fs-file-exists.js";
import { fsFind } from "./fs-find.js";
import { fsInfo } from "./fs-info.js";
import { fsListDirectory } from "./fs-list-directory.js";
import { fsReadFile } from "./fs-read-file.js";
import { fsSearch } from "./fs-search.js";
import { fsTree } from "./fs-tree.js";

/** The tools that look at files and folders. */
export const fileTools = (workstation: Workstation): readonly Tool[] => [
  fsReadFile(workstation),
  fsListDirectory(workstation),
  fsTree(workstation),
  fsFind(workstation),
  fsSearch(workstation),
  fsFileExists(workstation),
  fsDirectoryExists(workstation),
  fsInfo(workstation),
];
