import { access } from "node:fs/promises";
import path from "node:path";
import type { Call, PackHost } from "@toolwright/engine";
import { type FileAccess, findSettingRoots, lazyFileAccess, startFolders } from "@toolwright/kit/files";
import { builtInCorpus, type Corpus, cacheIndex } from "./library/corpus.js";
import { Library, type UserPatterns } from "./library/library.js";
import type { UserFolders } from "./library/user-folders.js";
import type { Settings } from "./settings.js";

/** What every tool of the pack is given: the patterns, how long an answer may be, and the folders it may read. */
export interface ThreatsContext {
  readonly library: Library;
  readonly tokenBudget: number;
  /** What a call can reach of the file system. */
  readonly reach: (call: Pick<Call, "signal" | "supports" | "roots">) => Promise<FileAccess>;
}

/** Whom the pack tells of changes and faults. */
export type ThreatsHost = Pick<PackHost, "notifyResourceUpdated" | "notifyResourceListChanged" | "log">;

/** What the tools and the command line work with, until it is closed. */
export interface OpenThreats {
  readonly desk: ThreatsContext;
  readonly close: () => void;
}

/** Opens the patterns: the built-in ones are read when they are first needed, the user's folders are watched from now on. */
export async function openThreats(
  settings: Settings,
  host: ThreatsHost,
  given: Corpus = builtInCorpus,
): Promise<OpenThreats> {
  if (settings.roots !== undefined)
    await findSettingRoots(settings.roots, (await startFolders()).folder, settings.deadline_ms);
  const corpus = cacheIndex(given);
  const user = await openUserFolders(settings, host, corpus);
  const desk = {
    library: new Library(corpus, user.patterns),
    tokenBudget: settings.token_budget,
    reach: lazyFileAccess(settings),
  };
  return { desk, close: user.close };
}

const NOTHING: UserPatterns = { patterns: [], diagnostics: [], files: 0 };

async function openUserFolders({ directory, directories = [] }: Settings, host: ThreatsHost, corpus: Corpus) {
  const given = [...(directory === undefined ? [] : [directory]), ...directories];
  if (given.length === 0) return { patterns: async () => NOTHING, close: () => undefined };
  const folders = [...new Set(given.map((folder) => path.resolve(folder)))].map((folder) => ({
    directory: folder,
    shown: shownOf(folder),
  }));
  for (const folder of folders) await checkFolder(folder.directory);
  const announce = (tell: () => void): void => {
    try {
      tell();
    } catch (error) {
      host.log({ level: "warning", message: "threats: clients could not be told that patterns have changed", error });
    }
  };
  // Where the built-in patterns cannot be read, whoever asks for them hears of it.
  const ids = async () => new Set((await corpus.index().catch(() => [])).map(({ id }) => id));
  const opened = openWatched(folders, ids, {
    listChanged: () => announce(() => tellList(host)),
    patternChanged: (id) => announce(() => host.notifyResourceUpdated(`threat://${id}`)),
    diagnosticFound: (line) => host.log({ level: "warning", message: `threats: ${line}` }),
    replaced: (id, file) =>
      host.log({ level: "info", message: `threats: ${file} stands in place of the built-in pattern ${id}` }),
  });
  return {
    patterns: async () => (await opened).patterns(),
    close: () => void opened.then((watched) => watched.close()),
  };
}

/** Clients are not told where on this machine a folder lies, and people know it by its name. */
function shownOf(directory: string): string {
  const inside = path.relative(process.cwd(), directory);
  const isInside = inside !== "" && !inside.startsWith("..") && !path.isAbsolute(inside);
  return (isInside ? inside : path.basename(directory)).replaceAll("\\", "/");
}

/** Nobody waits for it: a server starts meanwhile. */
async function openWatched(...parts: ConstructorParameters<typeof UserFolders>): Promise<UserFolders> {
  const { UserFolders: Watched } = await import("./library/user-folders.js");
  return new Watched(...parts);
}

function tellList(host: ThreatsHost): void {
  host.notifyResourceUpdated("threats://index");
  host.notifyResourceListChanged();
}

async function checkFolder(directory: string): Promise<void> {
  await access(directory).catch((error: Error) => {
    throw new Error(`settings.directory: the folder ${directory} cannot be used: ${error.message}`, { cause: error });
  });
}
