import { access } from "node:fs/promises";
import path from "node:path";
import type { FilePolicy } from "@toolwright/kit/files";
import type { CommandHost, PackHost } from "@toolwright/kit/pack";
import { builtInCorpus, type Corpus, cacheIndex } from "./library/corpus.js";
import { Library, type UserPatterns } from "./library/library.js";
import type { watchPatterns } from "./library/user-folders.js";
import type { Settings } from "./settings.js";

/** What tools, resources, prompts and commands work with: the patterns, the settings and the file policy. */
export interface ThreatsContext {
  readonly library: Library;
  readonly settings: Settings;
  readonly files: FilePolicy;
  /** Stops watching the folders of the user. */
  close(): void;
}

/** The host of a server or of a command. Only a server has clients to notify. */
type ThreatsHost = Pick<CommandHost, "files" | "log"> &
  Partial<Pick<PackHost, "notifyResourceUpdated" | "notifyResourceListChanged">>;

/** Opens the patterns. The built-in ones are read on first use; the folders of the user are watched from now on. */
export async function openThreats(
  settings: Settings,
  host: ThreatsHost,
  given: Corpus = builtInCorpus,
): Promise<ThreatsContext> {
  const corpus = cacheIndex(given);
  const user = await openUserFolders(settings.patternFolders, host, corpus);
  return { library: new Library(corpus, user.patterns), settings, files: host.files, close: user.close };
}

const NONE: UserPatterns = { patterns: [], diagnostics: [], files: 0 };

async function openUserFolders(names: readonly string[], host: ThreatsHost, corpus: Corpus) {
  if (names.length === 0) return { patterns: async () => NONE, close: () => undefined };
  const folders = [...new Set(names.map((folder) => path.resolve(folder)))].map((directory) => ({
    directory,
    displayName: displayNameOf(directory),
  }));
  for (const { directory } of folders) await assertReadable(directory);
  const notify = (send: () => void): void => {
    try {
      send();
    } catch (error) {
      host.log({ level: "warning", message: "threats: cannot notify clients of changed patterns", error });
    }
  };
  // If the built-in patterns cannot be read, the tool that needs them reports it.
  const ids = async () => new Set((await corpus.index().catch(() => [])).map(({ id }) => id));
  const opened = openWatched(folders, ids, {
    listChanged: () =>
      notify(() => {
        host.notifyResourceUpdated?.("threats://index");
        host.notifyResourceListChanged?.();
      }),
    patternChanged: (id) => notify(() => host.notifyResourceUpdated?.(`threat://${id}`)),
    diagnosticFound: (line) => host.log({ level: "warning", message: `threats: ${line}` }),
    replaced: (id, file) =>
      host.log({ level: "info", message: `threats: ${file} replaces the built-in pattern ${id}` }),
  });
  return {
    patterns: async () => (await opened).current(),
    close: () => void opened.then((watched) => watched.close()),
  };
}

/** The path of a folder below the current one, else its name: clients are not told where it lies. */
function displayNameOf(directory: string): string {
  const relative = path.relative(process.cwd(), directory);
  const isBelow = relative !== "" && !relative.startsWith("..") && !path.isAbsolute(relative);
  return (isBelow ? relative : path.basename(directory)).replaceAll("\\", "/");
}

/** Loads the watcher while the server starts. */
async function openWatched(...parts: Parameters<typeof watchPatterns>): Promise<ReturnType<typeof watchPatterns>> {
  return (await import("./library/user-folders.js")).watchPatterns(...parts);
}

async function assertReadable(directory: string): Promise<void> {
  await access(directory).catch((error: Error) => {
    throw new Error(`settings.patternFolders: cannot read the folder ${directory}: ${error.message}`, { cause: error });
  });
}
