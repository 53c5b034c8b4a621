const count = { type: "integer", minimum: 0 } as const;

/** The members of every result of a change. */
export const APPLIED = {
  change: { ...count, description: "The number of the change, for changes_since; none if nothing was changed" },
  transaction: { type: "string", description: "The open transaction that the change belongs to" },
  note: { type: "string" },
} as const;

/** The result for a file that was written. */
export const WRITTEN = {
  type: "object",
  properties: {
    path: { type: "string" },
    created: { type: "boolean" },
    hash: { type: "string", description: "The expected_hash of the next edit" },
    size: count,
    ...APPLIED,
    diff: { type: "string" },
  },
  required: ["path", "created", "hash", "size"],
} as const;

/** The number of changes. Only the first of many are listed. */
export const TOTAL = { ...count, description: "All changes, including those that are not listed" } as const;

/** Changes that an undo or redo with `force` has left as they are. */
export const LEFT_OUT = {
  type: "array",
  description: "Changes that can never be undone or redone, because their contents are not in the journal",
  items: {
    type: "object",
    properties: { change: count, files: { type: "array", items: { type: "string" } } },
    required: ["change", "files"],
  },
} as const;

/** The description of a change. */
export const CHANGE = {
  type: "object",
  properties: {
    change: count,
    at: { type: "string" },
    tool: { type: "string" },
    state: { enum: ["done", "undone", "not_made", "unfinished", "lost"] },
    transaction: { type: "string" },
    files: {
      type: "array",
      items: {
        type: "object",
        properties: {
          path: { type: "string" },
          action: { enum: ["created", "modified", "deleted", "moved", "replaced", "folder_created"] },
          from: { type: "string" },
          now: { enum: ["old", "new", "other"], description: "The state of the file, if the files differ in it" },
          added: count,
          removed: count,
          diff: { type: "string" },
        },
        required: ["path", "action"],
      },
    },
    more_files: { ...count, description: "The number of files that are not listed" },
  },
  required: ["change", "at", "tool", "state", "files"],
} as const;
