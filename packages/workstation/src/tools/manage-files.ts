import { type Tool, tool } from "@toolwright/engine";
import { REPLACE, UPDATE } from "@toolwright/kit/pack";
import { APPLIED } from "../change-schemas.js";
import type { Workstation } from "../workstation.js";
import { acceptNames, FOLDER_NAMES, PATH_NAMES } from "./arguments.js";

/** The tools that create, move and delete files and folders. */
export const manageTools = (workstation: Workstation): readonly Tool[] => [
  fsMove(workstation),
  fsDeleteFile(workstation),
  fsCreateDirectory(workstation),
];

const fsMove = (workstation: Workstation) =>
  tool({
    name: "fs_move",
    title: "Move a file or folder",
    description: "Moves or renames a file or folder, and creates the parent folders of the new path.",
    toolset: "files",
    aliases: ["move_file"],
    input: {
      type: "object",
      properties: {
        from: { type: "string", description: "The file or folder" },
        to: { type: "string", description: "The new path, including the name" },
        overwrite: { type: "boolean", default: false, description: "Replace an existing file" },
      },
      required: ["from", "to"],
    },
    output: {
      type: "object",
      properties: { from: { type: "string" }, to: { type: "string" }, replaced: { type: "boolean" }, ...APPLIED },
      required: ["from", "to", "replaced"],
    },
    annotations: REPLACE,
    normalizeInput: acceptNames({
      from: ["source", "source_path", "sourcePath", "src", "old_path", "oldPath"],
      to: ["destination", "destination_path", "destinationPath", "dest", "dst", "new_path", "newPath"],
    }),
    async run({ from, to, overwrite }, call) {
      const { describeApplied, draftMove } = await import("../changes/index.js");
      const author = await workstation.authorOf(call, "fs_move");
      const { access } = author;
      const changes = await workstation.changes();
      const maxBytes = changes.limits.fileBytes;
      const replaced = overwrite ? await access.stat(to) : undefined;
      if (replaced !== undefined) {
        const kind = replaced.stats.size > maxBytes ? "irreversible" : "destructive";
        await workstation.confirm(call, `Replace ${to} with ${from}`, kind);
      }
      const draft = () => draftMove(access, { from, to }, { overwrite, maxBytes });
      const { drafted, applied } = await changes.apply(author, draft);
      workstation.notifyChanged([drafted.from, drafted.realPath]);
      return {
        from: access.displayPath(drafted.from),
        to: access.displayPath(drafted.realPath),
        replaced: drafted.isReplaced,
        ...describeApplied(applied),
      };
    },
  });

const fsDeleteFile = (workstation: Workstation) =>
  tool({
    name: "fs_delete_file",
    title: "Delete a file",
    description: "Deletes a file or a symbolic link, but not its target and never a folder. undo_last restores it.",
    toolset: "files",
    aliases: ["filesystem/delete", "DeleteFile", "delete_file"],
    input: {
      type: "object",
      properties: { path: { type: "string", description: "The file" } },
      required: ["path"],
    },
    output: { type: "object", properties: { path: { type: "string" }, ...APPLIED }, required: ["path"] },
    annotations: REPLACE,
    normalizeInput: acceptNames({ path: PATH_NAMES }),
    async run({ path }, call) {
      const { describeApplied, draftDelete } = await import("../changes/index.js");
      const author = await workstation.authorOf(call, "fs_delete_file");
      const changes = await workstation.changes();
      const draft = () => draftDelete(author.access, path, changes.limits.fileBytes);
      if (workstation.needsConfirmation(call, "irreversible")) {
        const { state } = await draft();
        const isTooLarge = state.kind === "file" && state.size > changes.limits.fileBytes;
        await workstation.confirm(call, `Delete ${path}`, isTooLarge ? "irreversible" : "destructive");
      }
      const { drafted, applied } = await changes.apply(author, draft);
      workstation.notifyChanged([drafted.realPath]);
      return { path: author.access.displayPath(drafted.realPath), ...describeApplied(applied) };
    },
  });

const fsCreateDirectory = (workstation: Workstation) =>
  tool({
    name: "fs_create_directory",
    title: "Create a folder",
    description: "Creates a folder and its parents. Does nothing if it exists. fs_write_file creates folders itself.",
    toolset: "files",
    aliases: ["filesystem/create_directory", "CreateDirectory", "create_directory"],
    input: {
      type: "object",
      properties: { path: { type: "string", description: "The folder" } },
      required: ["path"],
    },
    output: {
      type: "object",
      properties: { path: { type: "string" }, created: { type: "boolean" }, ...APPLIED },
      required: ["path", "created"],
    },
    annotations: UPDATE,
    normalizeInput: acceptNames({ path: FOLDER_NAMES }),
    async run({ path }, call) {
      const { describeApplied, draftFolder } = await import("../changes/index.js");
      const author = await workstation.authorOf(call, "fs_create_directory");
      const changes = await workstation.changes();
      const { drafted, applied } = await changes.apply(author, () => draftFolder(author.access, path));
      return {
        path: author.access.displayPath(drafted.realPath),
        created: applied !== undefined,
        ...describeApplied(applied),
      };
    },
  });
