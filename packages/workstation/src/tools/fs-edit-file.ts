import { tool } from "@toolwright/engine";
import { REPLACES } from "../annotations.js";
import { askFirst, isAskedFor } from "../asking.js";
import { announce, authorOf } from "../author.js";
import type { Rewrite } from "../changes/drafts.js";
import type { LooseMatch } from "../changes/edits/apply-edits.js";
import { WRITTEN } from "../changes/shapes.js";
import type { Workstation } from "../workstation.js";
import { otherNames } from "./other-names.js";

/** Replaces parts of a text file: all of them, or none. */
export const fsEditFile = (workstation: Workstation) =>
  tool({
    name: "fs_edit_file",
    title: "Edit a file",
    description:
      "Replaces exact parts of a text file, all or none; gives a unified diff. Where only white space differs it matches all the same, and says so in `loose`.",
    toolset: "files",
    aliases: ["edit_file"],
    input: INPUT,
    output: OUTPUT,
    annotations: REPLACES,
    formatValidationError: otherNames({ dryRun: "dry_run", oldText: "old", newText: "new" }),
    async run({ path, edits, dry_run: isTrial, expected_hash: expected }, call) {
      const { draftWrite, editBytes, editedText, refuseAbsent, refuseStale, textOf, toWritten } = await import(
        "../changes/deeds.js"
      );
      const author = await authorOf(workstation, call, "fs_edit_file");
      const changes = await workstation.changes();
      let loose: readonly LooseMatch[] = [];
      const rewrite: Rewrite = async (before) => {
        const yours = (base: string | undefined) => editedText(base ?? textOf(before.bytes), edits);
        await refuseStale(workstation, changes, { shown: path, expected, disk: before, yours });
        if (before.state.kind === "absent") await refuseAbsent(author.reach, path);
        const edited = editBytes(path, before, edits);
        loose = edited.loose;
        return edited.bytes;
      };
      const draft = () => draftWrite(author.reach, path, rewrite, changes.limits.fileBytes);
      const tell = async (made: Parameters<typeof toWritten>[1]) => {
        const { created: _none, note, ...told } = await toWritten(author.reach, made);
        const facts = { ...told, ...(loose.length > 0 && { loose: loose.slice(0, MOST_LOOSE) }) };
        return isTrial ? { ...facts, dry_run: true } : { ...facts, ...(note !== undefined && { note }) };
      };
      if (isTrial) return tell({ drafted: await draft(), made: undefined });
      if (isAskedFor(workstation, call, "destructive")) {
        await draft();
        await askFirst(workstation, call, `Edit ${path}`, "destructive");
      }
      const made = await changes.make(author, draft);
      if (made.made !== undefined) announce(workstation, [made.drafted.place]);
      return tell(made);
    },
  });

const MOST_LOOSE = 20;

const INPUT = {
  type: "object",
  properties: {
    path: { type: "string" },
    edits: {
      type: "array",
      minItems: 1,
      items: {
        type: "object",
        properties: {
          old: { type: "string" },
          new: { type: "string" },
          expected_count: { type: "integer", minimum: 1, default: 1 },
        },
        required: ["old", "new"],
      },
    },
    dry_run: { type: "boolean", default: false },
    expected_hash: { type: "string" },
  },
  required: ["path", "edits"],
} as const;

const line = { type: "integer", minimum: 1 } as const;

const OUTPUT = {
  type: "object",
  properties: {
    ...WRITTEN.properties,
    dry_run: { type: "boolean" },
    loose: {
      type: "array",
      description: "Parts that differed in white space from what was looked for",
      items: {
        type: "object",
        properties: {
          edit: line,
          line,
          end_line: line,
          differed: { enum: ["line endings", "trailing whitespace", "indentation"] },
          text: { type: "string" },
        },
        required: ["edit", "line", "end_line", "differed", "text"],
      },
    },
  },
  required: ["path", "hash", "size"],
} as const;
