import type { Call } from "@toolwright/engine";
import type { AccessPolicy } from "./access-policy.js";
import type { FileAccess } from "./file-access.js";
import { startFolders } from "./start-folder.js";

/** What the tools of a server may read and change. One policy is made for all packs. */
export interface FilePolicy {
  /** What one call can reach: the folders of the settings, narrowed by the roots of its client. */
  accessFor(call: Pick<Call, "signal" | "supports" | "roots">): Promise<FileAccess>;
  /** The real paths of the folders, before a client narrows them. Throws an error that names the setting that is wrong. */
  folders(): Promise<readonly string[]>;
}

/** What a file policy is made from. */
export interface FilePolicyOptions {
  readonly settings?: Partial<FileSettings>;
  /** Files and folders that the server keeps for itself, whether or not they exist yet: no tool reads or changes them. */
  readonly ownPaths?: readonly string[];
  /** The file from which the settings were read: no tool changes it. */
  readonly configurationFile?: string | undefined;
}

/** Creates a file policy. Folders are looked up when they are first needed; after a failure the next use tries again. */
export function createFilePolicy({ settings, ownPaths = [], configurationFile }: FilePolicyOptions): FilePolicy {
  let opened: Promise<AccessPolicy> | undefined;
  const open = async (): Promise<AccessPolicy> => {
    const [{ AccessPolicy }, folders] = await Promise.all([import("./access-policy.js"), startFolders()]);
    const surroundings = { ...folders, own: ownPaths, configuration: configurationFile };
    return AccessPolicy.open({ ...DEFAULT_FILE_SETTINGS, ...settings }, surroundings);
  };
  const policy = (): Promise<AccessPolicy> =>
    (opened ??= open().catch((error: unknown) => {
      opened = undefined;
      throw error;
    }));
  return {
    accessFor: async (call) => (await policy()).accessFor(call),
    folders: async () => (await policy()).folders,
  };
}

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

/** What a call can reach under the file settings that packs had of their own. It goes when all packs take `host.files`. */
export function lazyFileAccess(
  settings: PackFileSettings,
  ownPaths: readonly string[] = [],
  configurationFile?: string,
): (call: Pick<Call, "signal" | "supports" | "roots">) => Promise<FileAccess> {
  const policy = createFilePolicy({ settings: toFileSettings(settings), ownPaths, configurationFile });
  return (call) => policy.accessFor(call);
}
