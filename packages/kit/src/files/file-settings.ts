/** What a pack was told of the folders that its tools may use. */
export interface FileSettings {
  /** The folders; the one in which the server was started by default. */
  readonly roots?: readonly string[] | undefined;
  /** Whether the roots of a client narrow them. */
  readonly client_roots: boolean;
  /** Globs of what is never shown, read or changed. */
  readonly hidden: readonly string[];
  /** How long one operation of the file system may take. */
  readonly deadline_ms: number;
}

/** The schema of these settings, for the packs that have them. */
export const FILE_SETTINGS = {
  roots: {
    type: "array",
    items: { type: "string", minLength: 1 },
    description: "The folders that may be used; the folder of the server by default.",
  },
  client_roots: {
    type: "boolean",
    default: true,
    description: "Whether the roots of a client narrow the folders further. They never widen them.",
  },
  hidden: {
    type: "array",
    items: { type: "string", minLength: 1 },
    default: [],
    description: "Globs of paths that are never shown, read or changed, such as **/.env.",
  },
  deadline_ms: {
    type: "integer",
    minimum: 1,
    default: 10_000,
    description: "How long one operation of the file system may take.",
  },
} as const;
