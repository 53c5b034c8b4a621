const count = { type: "integer", minimum: 0 } as const;

/** What every result of a change has: which change it is, and whether it can be undone. */
export const MADE = {
  change: { ...count, description: "Its number, for undo and changes_since; none where nothing was changed" },
  transaction: { type: "string", description: "The open transaction to which it belongs" },
  note: { type: "string" },
} as const;

/** What is said of a file that was written. */
export const WRITTEN = {
  type: "object",
  properties: {
    path: { type: "string" },
    created: { type: "boolean" },
    hash: { type: "string" },
    size: count,
    ...MADE,
    diff: { type: "string" },
  },
  required: ["path", "created", "hash", "size"],
} as const;

/** How many changes there are; of many only the first are told. */
export const TOTAL = { ...count, description: "All of them, also those that are not listed" } as const;

/** Changes that an undo or a redo by force has left as they are. */
export const LEFT = {
  type: "array",
  description: "Left out for good: their contents are not in the journal",
  items: {
    type: "object",
    properties: { change: count, files: { type: "array", items: { type: "string" } } },
    required: ["change", "files"],
  },
} as const;

/** What is said of one change. */
export const TOLD = {
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
          now: {
            enum: ["old", "new", "other"],
            description: "Where it stands, if not all of the change is in one state",
          },
          added: count,
          removed: count,
          diff: { type: "string" },
        },
        required: ["path", "action"],
      },
    },
    more_files: { ...count, description: "How many more files there are than fit here" },
  },
  required: ["change", "at", "tool", "state", "files"],
} as const;
