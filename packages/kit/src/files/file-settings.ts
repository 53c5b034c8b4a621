/** The settings group `files` of the server: what its tools may read and change. */
export interface FileSettings {
  /** The folders; by default the one in which the server was started. */
  readonly roots?: readonly string[] | undefined;
  /** Globs of paths that are never shown, read or changed. */
  readonly hidden: readonly string[];
  /** Globs of paths that can be read and not changed. */
  readonly readOnly: readonly string[];
  /** Whether the roots of a client narrow the folders. */
  readonly clientRoots: boolean;
  /** The time limit for one operation of the file system, in milliseconds. */
  readonly timeoutMs: number;
}

/** The settings where nothing is configured. */
export const DEFAULT_FILE_SETTINGS: FileSettings = {
  hidden: [],
  readOnly: [],
  clientRoots: true,
  timeoutMs: 10_000,
};

/** The file settings that packs had of their own. They go when all packs take `host.files`. */
export interface PackFileSettings {
  readonly roots?: readonly string[] | undefined;
  readonly client_roots: boolean;
  readonly hidden: readonly string[];
  readonly deadline_ms: number;
}

/** Both forms in the new one. */
export const toFileSettings = (settings: FileSettings | PackFileSettings): FileSettings =>
  "deadline_ms" in settings
    ? {
        roots: settings.roots,
        hidden: settings.hidden,
        readOnly: [],
        clientRoots: settings.client_roots,
        timeoutMs: settings.deadline_ms,
      }
    : settings;

/** The schema of the settings that packs had of their own. */
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
