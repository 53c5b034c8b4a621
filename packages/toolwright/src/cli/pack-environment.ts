import os from "node:os";
import path from "node:path";
import type { JsonObject, Pack } from "@toolwright/engine";
import { createFilePolicy, currentFolder, type FileSettings } from "@toolwright/kit/files";
import { isObject } from "@toolwright/kit/json";
import { bindPack, type CommandHost, type PackEnvironment, parseSettings } from "@toolwright/kit/pack";
import { type Config, calledBy, groupOf, valueOf } from "../config/config.js";
import { PACK_NAMES, PACKS, type PackLoader } from "../packs.js";
import { loadKnownTools } from "./tool-lists/known-tools.js";

/** Creates a pack of the engine from settings. */
export type PackMaker = (settings?: JsonObject) => Pack;

/** Loads a pack for a server with a configuration. */
export const loadPack = async (load: PackLoader, config: Config, stateFolder?: string): Promise<PackMaker> => {
  const [definition, environment] = await Promise.all([load(), environmentOf(config, stateFolder)]);
  return bindPack(definition, environment);
};

/** The packs of this program, and those that the configuration names. */
export async function packsOf(config: Config): Promise<Readonly<Record<string, PackLoader>>> {
  const modules = valueOf(config, "packModules") ?? [];
  if (modules.length === 0) return PACKS;
  const { loadPackModules } = await import("./pack-modules.js");
  return { ...PACKS, ...(await loadPackModules(modules, PACK_NAMES)) };
}

/** Loads packs of outside authors, and returns their names. */
export async function loadOtherPacks(modules: readonly string[]): Promise<readonly string[]> {
  const { loadPackModules } = await import("./pack-modules.js");
  return Object.keys(await loadPackModules(modules, PACK_NAMES));
}

/** By configuration and state folder. */
const environments = new WeakMap<Config, Map<string, Promise<PackEnvironment>>>();

/** What all packs of a server get from its configuration: one file policy, one state folder. */
export function environmentOf(config: Config, stateFolder = stateOf(config)): Promise<PackEnvironment> {
  const byFolder = environments.get(config) ?? new Map<string, Promise<PackEnvironment>>();
  environments.set(config, byFolder);
  const environment = byFolder.get(stateFolder) ?? createEnvironment(config, stateFolder);
  byFolder.set(stateFolder, environment);
  return environment;
}

async function createEnvironment(config: Config, stateFolder: string): Promise<PackEnvironment> {
  const enabled = Object.entries(PACKS).filter(([name]) => config.entries.get(`packs.${name}`)?.value !== false);
  const { names } = await loadKnownTools(Object.fromEntries(enabled));
  return {
    stateFolder,
    files: createFilePolicy({ ...policyOptions(config, stateFolder), settings: fileSettings(config) }),
    toolIsOn: (tool) => names.includes(tool),
    configurationFile: config.file,
  };
}

/** What the commands of packs work with: the same file policy, but a person may name any folder unless `files.roots` is configured. */
export function commandHost(config: Config): CommandHost {
  const { roots = [currentFolder(), path.parse(path.resolve(currentFolder())).root], ...settings } =
    fileSettings(config);
  return {
    stateFolder: stateOf(config),
    files: createFilePolicy({
      ...policyOptions(config, stateOf(config)),
      settings: { ...settings, roots, clientRoots: false },
    }),
    now: () => new Date(),
    log: () => undefined,
    configurationFile: config.file,
  };
}

/** The configured settings of a pack, with defaults. Throws an error that names each setting that is wrong. */
export async function packSettings(name: string, config: Config): Promise<JsonObject> {
  const definition = await (await packsOf(config))[name]?.();
  if (definition === undefined) throw new TypeError(`There is no pack "${name}"`);
  const settings = config.entries.get(`packs.${name}`)?.value;
  return parseSettings(definition, isObject(settings) ? settings : {});
}

/** Looks up the folders that `files.roots` names. Throws an error that names the one that cannot be used. */
export async function checkRoots(config: Config): Promise<void> {
  if (valueOf(config, "files.roots") === undefined) return;
  await (await environmentOf(config)).files.folders().catch((error: Error) => {
    throw new Error(
      error.message.replace(/^files\.roots/, () => calledBy(config, "files.roots")),
      { cause: error },
    );
  });
}

/** Says at the start of a server that its tools can reach no file. */
export const NO_FOLDER =
  'No folder can be used: the server was started in a home folder or a whole disk. Name folders with --root FOLDER, or with "files": { "roots": […] } in toolwright.config.json';

/** What is configured; defaults are left out. */
function fileSettings(config: Config): Partial<FileSettings> {
  return groupOf(config, "files");
}

/** What lies in a state folder: if the folder itself is a root, the rest of it is not the server's. */
const STATE_NAMES = ["results", "recordings", "models", "knowledge-tools.json", "tasks", ...PACK_NAMES];

/** The state folder, and the files that settings name for the server: databases, the audit log and the profile. */
function policyOptions(config: Config, folder: string) {
  const databases = [...config.entries.values()].flatMap(({ value }) => (isObject(value) ? [value["database"]] : []));
  const named = [...databases, valueOf(config, "audit.file"), valueOf(config, "profile")].filter(isFilePath);
  const files = [
    ...STATE_NAMES.flatMap((name) => [path.join(folder, name), path.join(folder, `${name}.db`)]),
    ...named.map((file) => path.resolve(currentFolder(), file)),
  ];
  return { ownPaths: [folder, ...files.flatMap(databaseFiles)], configurationFile: config.file };
}

/** A database may be a URL, and a profile a name. */
const isFilePath = (value: unknown): value is string =>
  typeof value === "string" && /[\\/.]/.test(value) && !/^[a-z][a-z+.-]+:\/\//i.test(value);

/** SQLite keeps a database in several files. */
const databaseFiles = (file: string): readonly string[] => ["", "-wal", "-shm", "-journal"].map((end) => file + end);

/** The parts of a process that say where its user keeps things. */
export interface Surroundings {
  readonly platform: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
}

/** The folder in which programs of this user keep what should outlive them, as the platform has it. */
export function defaultStateFolder({ platform, env, home }: Surroundings): string {
  if (platform === "win32")
    return path.win32.join(env["LOCALAPPDATA"] ?? path.win32.join(home, "AppData", "Local"), "toolwright");
  if (platform === "darwin") return path.posix.join(home, "Library", "Application Support", "toolwright");
  const given = env["XDG_STATE_HOME"];
  // The specification has a relative path passed over.
  const base = given !== undefined && path.posix.isAbsolute(given) ? given : path.posix.join(home, ".local", "state");
  return path.posix.join(base, "toolwright");
}

/** The folder for the data of tasks and packs: the setting `state`, or the usual folder of this platform. */
export function stateOf(config: Config): string {
  const { platform, env } = process;
  return path.resolve(valueOf(config, "state") ?? defaultStateFolder({ platform, env, home: os.homedir() }));
}
