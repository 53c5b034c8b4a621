import path from "node:path";
import { type FileAccess, walk } from "@toolwright/kit/files";
import { readSource } from "../project/read-source.js";

/** A file that says what a folder is: its package, its module, how its imports are found. */
export interface Manifest {
  /** Relative to the project, with forward slashes. */
  readonly path: string;
  /** The folder it is in; "" = the project itself. */
  readonly folder: string;
  readonly name: string;
  readonly text: string;
}

const NAMES = new Set([
  "package.json",
  "tsconfig.json",
  "jsconfig.json",
  "go.mod",
  "Cargo.toml",
  "pyproject.toml",
  "setup.py",
  "requirements.txt",
  "pom.xml",
  "build.gradle",
  "build.gradle.kts",
  "settings.gradle.kts",
  "composer.json",
  "Gemfile",
  "Package.swift",
  "CMakeLists.txt",
  "Makefile",
  "Dockerfile",
]);
const ENDS = /\.(?:csproj|sln|gemspec)$/;
const MOST = 500;
const MOST_BYTES = 128 * 1024;

/** Reads the manifests in a folder and all below it. What cannot be read is as if it were not there. */
export async function readManifests(reach: FileAccess, given: string): Promise<readonly Manifest[]> {
  const found: { readonly place: string; readonly below: string; readonly name: string }[] = [];
  for await (const { kind, realPath: place, relativePath: below, name } of walk(reach, given)) {
    if (kind === "file" && (NAMES.has(name) || ENDS.test(name))) found.push({ place, below, name });
    if (found.length >= MOST) break;
  }
  const manifests: Manifest[] = [];
  for (const { place, below, name } of found) {
    const { bytes } = await readSource(reach, { place }, MOST_BYTES);
    if (bytes === undefined) continue;
    const folder = path.posix.dirname(below);
    const text = new TextDecoder().decode(bytes);
    manifests.push({ path: below, folder: folder === "." ? "" : folder, name, text });
  }
  return manifests;
}

/** The folder of which others are looked at from the inside out: "a/b" gives "a/b", "a" and "". */
export function foldersAbove(folder: string): string[] {
  const parts = folder === "" || folder === "." ? [] : folder.split("/");
  return [...parts.map((_part, index) => parts.slice(0, parts.length - index).join("/")), ""];
}

/** A path inside a folder; undefined where it leads out of the project. */
export function joined(folder: string, name: string): string | undefined {
  const whole = path.posix.normalize(path.posix.join(folder === "" ? "." : folder, name));
  return whole === ".." || whole.startsWith("../") || whole.startsWith("/") ? undefined : whole;
}
