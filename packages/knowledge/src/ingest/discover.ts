import path from "node:path";
import { ToolError } from "@toolwright/engine";
import { type FileAccess, walk } from "@toolwright/kit/files";
import { kindByName } from "../documents/kind.js";
import type { IngestOptions } from "./ingest-options.js";

/** Folders with dependencies, caches and hidden files. They are read if they are named explicitly. */
const IGNORED_FOLDERS = /^(?:node_modules|__pycache__|\.(?!github$).*)$/;

/** Finds the documents for an ingest. `onProgress` is called periodically with the number of documents. */
export async function discover(
  access: FileAccess | undefined,
  options: IngestOptions,
  limit: number,
  onProgress: (found: number) => void,
): Promise<DiscoveredSources> {
  const { paths = [], texts = [], metadata = {} } = options;
  const found = new Discovery(metadata, limit, onProgress);
  for (const { name, text, title, url, metadata: own = {} } of texts)
    found.add({ source: name, text, title, url, metadata: { ...metadata, ...own } });
  if (access !== undefined) for (const inputPath of paths) await found.addPath(access, inputPath);
  return found;
}

class Discovery implements DiscoveredSources {
  readonly #metadata: Readonly<Record<string, string>>;
  readonly #limit: number;
  readonly #onProgress: (found: number) => void;
  readonly #known = new Set<string>();
  readonly sources: Source[] = [];
  readonly folders: string[] = [];
  readonly missing: string[] = [];
  readonly skipped: SkippedSource[] = [];
  readonly unknown = new Map<string, number>();

  constructor(metadata: Readonly<Record<string, string>>, limit: number, onProgress: (found: number) => void) {
    this.#metadata = metadata;
    this.#limit = limit;
    this.#onProgress = onProgress;
  }

  /** Overlapping paths add a document only once. */
  add(source: Source): void {
    if (this.#known.has(source.source)) return;
    this.#known.add(source.source);
    this.sources.push(source);
    if (this.sources.length > this.#limit) throw tooMany(this.#limit);
    if (this.sources.length % 500 === 0) this.#onProgress(this.sources.length);
  }

  async addPath(access: FileAccess, inputPath: string): Promise<void> {
    const entry = await access.stat(inputPath);
    if (entry === undefined)
      this.missing.push(access.displayPath(path.resolve(access.roots[0] ?? path.sep, inputPath)));
    else if (entry.stats.isDirectory()) await this.#addFolder(access, inputPath, entry.realPath);
    else this.#addFile(access, entry.realPath, true);
  }

  async #addFolder(access: FileAccess, inputPath: string, realPath: string): Promise<void> {
    const folder = access.displayPath(realPath);
    this.folders.push(folder === "." ? "" : `${folder}/`);
    const entries = walk(access, inputPath, {
      enters: (below) => !IGNORED_FOLDERS.test(path.posix.basename(below)),
      skipped: (below, reason) => this.skipped.push({ source: `${folder}/${below}`, reason }),
    });
    for await (const entry of entries) {
      if (entry.kind === "file") this.#addFile(access, entry.realPath, false);
      else if (entry.kind === "symlink" && kindByName(entry.name) !== undefined)
        this.skipped.push({
          source: access.displayPath(entry.realPath),
          reason: "symbolic links are not followed",
        });
    }
  }

  #addFile(access: FileAccess, realPath: string, isNamed: boolean): void {
    const name = path.basename(realPath);
    const source = access.displayPath(realPath);
    const secret = secretName(name);
    if (secret !== undefined) this.skipped.push({ source, reason: secret, isSecret: true });
    else if (!isNamed && kindByName(name) === undefined) this.#countUnknown(path.extname(name).toLowerCase() || name);
    else this.add({ source, realPath, metadata: this.#metadata });
  }

  #countUnknown(extension: string): void {
    this.unknown.set(extension, (this.unknown.get(extension) ?? 0) + 1);
  }
}

const tooMany = (limit: number): ToolError =>
  new ToolError(`Cannot ingest more than ${limit} documents at once: name fewer, or raise the setting maxDocuments.`, {
    code: "TOO_LARGE",
    details: { expected: `at most ${limit}` },
  });

/** A document to read: a file or a text. */
export interface Source {
  /** The display path of a file, or the name of a text. */
  readonly source: string;
  /** The real path of a file. */
  readonly realPath?: string | undefined;
  /** The content of a text. */
  readonly text?: string | undefined;
  readonly title?: string | undefined;
  readonly url?: string | undefined;
  readonly metadata: Readonly<Record<string, string>>;
}

/** A file that is not read. */
export interface SkippedSource {
  readonly source: string;
  readonly reason: string;
  readonly isSecret?: true;
}

/** The documents that an ingest reads. */
export interface DiscoveredSources {
  readonly sources: readonly Source[];
  /** The source prefixes of folders: documents below them that are not among the sources no longer exist. */
  readonly folders: readonly string[];
  /** Named paths that do not exist. */
  readonly missing: readonly string[];
  readonly skipped: readonly SkippedSource[];
  /** The number of files of unknown kinds in the folders, by extension. */
  readonly unknown: ReadonlyMap<string, number>;
}

/** Names of files that usually contain secrets. */
const SECRET_NAMES =
  /^(?:\.env(?:\..+)?|\.netrc|\.npmrc|\.pypirc|\.htpasswd|\.pgpass|id_(?:rsa|dsa|ecdsa|ed25519)|credentials(?:\.json)?|secrets?\.(?:json|ya?ml|toml|env)|kubeconfig(?:\.ya?ml|\.json)?)$|\.(?:env|kubeconfig|pem|key|ppk|p12|pfx|jks|keystore|kdbx|asc|gpg)$/i;
const EXAMPLE_NAMES = /\.(?:example|sample|template|dist)$/i;

/** The start of a private key, and the number of bytes after it that are searched for the key. */
const KEY_HEADER = "-----BEGIN ";
const KEY_SPAN = 1000;

/** Matches the header of a private key, optional header lines and base64 data. Line ends may be escaped, as in JSON strings. */
const KEY =
  /^-----BEGIN (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----(?:\\+[rn]|[\s"'`+,>|*#])+(?:[A-Za-z][\w-]{0,40}: [^\n\\]{0,200}(?:\n|\\+[rn])(?:\\+[rn]|[\s"'`+,>|*#])*){0,9}[A-Za-z0-9+/=]{32}/;

/** Why the name of a file marks it as a secret. */
export const secretName = (name: string): string | undefined =>
  SECRET_NAMES.test(name) && !EXAMPLE_NAMES.test(name) ? "files with this name usually contain secrets" : undefined;

/** Why the content of a file marks it as a secret. */
export function secretContent({ buffer, byteOffset, byteLength }: Uint8Array): string | undefined {
  const bytes = Buffer.from(buffer, byteOffset, byteLength);
  for (let at = bytes.indexOf(KEY_HEADER); at !== -1; at = bytes.indexOf(KEY_HEADER, at + KEY_HEADER.length))
    if (KEY.test(bytes.toString("latin1", at, at + KEY_SPAN))) return "it contains a private key";
  return undefined;
}
