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
import { codeFolder } from "./code-folder.js";

const DAY_MS = 86_400_000;
const OLD_MS = 60 * DAY_MS;
/** A start is over by then, and what it took has been compiled. */
const WRITE_AFTER_MS = 1000;

/**
 * Keeps what V8 makes of the program's files in the user's cache, so that the next start need not compile them again. It is code: a
 * file that somebody else could have written is not used. Where nothing can be kept, nothing is said.
 */
export class CodeCache {
  readonly #folder = codeFolder(process);

  /** Compiles a file of the build, whose first line names the build. */
  compile(filename: string, source: string): Script {
    const file = this.#folder && path.join(this.#folder, this.#nameOf(filename, source));
    const kept = file === undefined ? undefined : readOwn(file);
    const script = new Script(source, { filename, ...(kept && { cachedData: kept.code }) });
    // One that V8 refuses is not made anew with each start: the reason may be a flag that is set while the program runs.
    const isFresh = kept !== undefined && (script.cachedDataRejected !== true || kept.ageMs < DAY_MS);
    if (file !== undefined && !isFresh) keepLater(script, file);
    return script;
  }

  /** Each command has its own: what one has compiled of a file in passing would otherwise be all that another finds for ever. */
  #nameOf(filename: string, source: string): string {
    const build = source.slice(2, source.indexOf("\n"));
    const [, , command = ""] = process.argv;
    const flags = [
      /^[a-z]{1,16}$/.test(command) ? command : "",
      ...process.execArgv,
      process.env["NODE_OPTIONS"] ?? "",
    ];
    return [path.basename(filename, ".js"), build, process.version, process.arch, hashOf(flags.join(" "))].join("-");
  }
}

/** Not for secrets; it tells flags apart. */
function hashOf(text: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return (hash >>> 0).toString(16);
}

/** Reads a file that only this user can have written. */
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

/** Windows has no such owners and modes; there the folder is the user's by where it is. */
const isOwn = ({ uid, mode }: Stats): boolean =>
  process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0);

/** Writes what was compiled once the start is over, or when the process ends before. */
function keepLater(script: Script, file: string): void {
  const { cachedDataVersionTag } = process.getBuiltinModule("node:v8");
  const flags = cachedDataVersionTag();
  const keep = (): void => {
    clearTimeout(timer);
    process.off("exit", keep);
    // V8 would refuse at the next start what was compiled under other flags.
    if (cachedDataVersionTag() === flags) write(file, script.createCachedData());
  };
  const timer = setTimeout(keep, WRITE_AFTER_MS).unref();
  process.once("exit", keep);
}

function write(file: string, code: Buffer): void {
  const folder = path.dirname(file);
  const aside = `${file}.${process.pid}`;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (!isOwn(statSync(folder))) return;
    writeFileSync(aside, code, { mode: 0o600, flag: "wx" });
    renameSync(aside, file);
    removeOld(folder);
  } catch {
    // A disk that is full or may not be written to costs the next start what this one has cost.
  }
}

/** Other versions leave theirs behind; whoever still uses one makes it again. */
function removeOld(folder: string): void {
  for (const name of readdirSync(folder)) {
    const file = path.join(folder, name);
    if (Date.now() - statSync(file).mtimeMs > OLD_MS) rmSync(file, { force: true });
  }
}
