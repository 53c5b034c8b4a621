import {
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { Script } from "node:vm";

const DAY_MS = 86_400_000;
/** The age at which cached files are removed. */
const MAX_AGE_MS = 60 * DAY_MS;
/** By then the program has started, and the functions that it needs for that are compiled. */
const WRITE_AFTER_MS = 1000;

/** The parts of a process that say where its user keeps caches. */
type Surroundings = Pick<NodeJS.Process, "platform" | "env">;

/** The folder for compiled code, in the user's cache of the platform. Undefined if there is none, or if it is switched off. */
function codeFolder({ platform, env }: Surroundings): string | undefined {
  // Node's own switch for the same thing.
  if (env["NODE_DISABLE_COMPILE_CACHE"] !== undefined) return undefined;
  const base = cacheFolder(platform, env);
  return base && path.join(base, "toolwright", "code");
}

function cacheFolder(platform: string, env: NodeJS.ProcessEnv): string | undefined {
  if (platform === "win32") return env["LOCALAPPDATA"];
  const { HOME: home, XDG_CACHE_HOME: configured } = env;
  // The specification requires relative paths to be ignored.
  if (platform !== "darwin" && configured !== undefined && path.isAbsolute(configured)) return configured;
  if (home === undefined || !path.isAbsolute(home)) return undefined;
  return platform === "darwin" ? path.join(home, "Library", "Caches") : path.join(home, ".cache");
}

/**
 * Caches the compiled code of the program's files in the user's cache folder, so that the next start does not compile them again. A file
 * that somebody else could have written is not used. Without a folder that can be written, nothing is cached.
 */
export class CodeCache {
  readonly #folder = codeFolder(process);
  /** The scripts to write, by file, with the flags under which V8 compiled them. */
  readonly #pending = new Map<string, { readonly script: Script; readonly flags: number }>();
  #timer: NodeJS.Timeout | undefined;

  /** Compiles a file of the build, whose first line names the build. */
  compile(filename: string, source: string): Script {
    const file = this.#folder && path.join(this.#folder, this.#nameOf(filename, source));
    const cached = file === undefined ? undefined : readOwn(file);
    const script = new Script(source, { filename, ...(cached && { cachedData: cached.code }) });
    // Code that V8 rejects is not replaced at each start: the reason may be a flag that is set while the program runs.
    const isFresh = cached !== undefined && (script.cachedDataRejected !== true || cached.ageMs < DAY_MS);
    if (file !== undefined && !isFresh) this.#writeLater(file, script);
    return script;
  }

  /** Writes the compiled code once the program has started, or when the process ends before. */
  #writeLater(file: string, script: Script): void {
    const { cachedDataVersionTag } = process.getBuiltinModule("node:v8");
    this.#pending.set(file, { script, flags: cachedDataVersionTag() });
    if (this.#timer !== undefined) return;
    const writeAll = (): void => {
      clearTimeout(this.#timer);
      this.#timer = undefined;
      process.off("exit", writeAll);
      const scripts = [...this.#pending];
      this.#pending.clear();
      const current = cachedDataVersionTag();
      // At the next start V8 would reject what was compiled under other flags.
      for (const [name, { script: compiled, flags }] of scripts)
        if (flags === current) write(name, compiled.createCachedData());
    };
    this.#timer = setTimeout(writeAll, WRITE_AFTER_MS).unref();
    // One listener for all files: Node warns of a leak when there are more than ten.
    process.once("exit", writeAll);
  }

  /**
   * Each command has its own files: which functions of a file are compiled depends on the command. So does each copy of a build, since
   * compiled code contains the path that stack traces show.
   */
  #nameOf(filename: string, source: string): string {
    const build = source.slice(2, source.indexOf("\n"));
    const [, , command = ""] = process.argv;
    const parts = [
      filename,
      /^[a-z]{1,16}$/.test(command) ? command : "",
      ...process.execArgv,
      process.env["NODE_OPTIONS"] ?? "",
    ];
    return [path.basename(filename, ".js"), build, process.version, process.arch, hashOf(parts.join(" "))].join("-");
  }
}

/** A short hash that distinguishes paths and flags; not for secrets. */
function hashOf(text: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return (hash >>> 0).toString(16);
}

/** Reads a file that only this user can have written, and its age. */
function readOwn(file: string): { readonly code: Buffer; readonly ageMs: number } | undefined {
  let opened: number | undefined;
  try {
    opened = openSync(file, "r");
    const stats = fstatSync(opened);
    if (!isOwn(stats) || !isOwn(statSync(path.dirname(file)))) return undefined;
    return { code: readFileSync(opened), ageMs: Date.now() - stats.mtimeMs };
  } catch {
    return undefined;
  } finally {
    if (opened !== undefined) closeSync(opened);
  }
}

/** Windows has no such owners and modes; there the location of the folder makes it the user's. */
const isOwn = ({ uid, mode }: Stats): boolean =>
  process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0);

function write(file: string, code: Buffer): void {
  const folder = path.dirname(file);
  const temporary = `${file}.${process.pid}`;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (!isOwn(statSync(folder))) return;
    writeFileSync(temporary, code, { mode: 0o600, flag: "wx" });
    renameSync(temporary, file);
    removeOld(folder);
  } catch {
    // On a disk that is full or read-only, the next start compiles the files again.
  }
}

/** Removes the files of other versions; a version that is still used writes its own again. */
function removeOld(folder: string): void {
  for (const name of readdirSync(folder)) {
    const file = path.join(folder, name);
    if (Date.now() - statSync(file).mtimeMs > MAX_AGE_MS) rmSync(file, { force: true });
  }
}
