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
const DEFAULT_FILE_SETTINGS: FileSettings = {
  hidden: [],
  readOnly: [],
  clientRoots: true,
  timeoutMs: 10_000,
};
