import path from "node:path";
import { type FileAccess, walk } from "@toolwright/kit/files";
import { readSource } from "../project/read-source.js";

/** A file that describes a folder: its package, its module, how imports are resolved. */
export interface Manifest {
  /** Relative to the project, with forward slashes. */
  readonly path: string;
  /** Its folder; "" = the project itself. */
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
const EXTENSIONS = /\.(?:csproj|sln|gemspec)$/;
const MAX_FILES = 500;
const MAX_BYTES = 128 * 1024;

/** Reads the manifests in a folder and its subfolders. Files that cannot be read are ignored. */
export async function readManifests(access: FileAccess, inputPath: string): Promise<readonly Manifest[]> {
  const found: { readonly realPath: string; readonly below: string; readonly name: string }[] = [];
  for await (const { kind, realPath, relativePath: below, name } of walk(access, inputPath)) {
    if (kind === "file" && (NAMES.has(name) || EXTENSIONS.test(name))) found.push({ realPath, below, name });
    if (found.length >= MAX_FILES) break;
  }
  const manifests: Manifest[] = [];
  for (const { realPath, below, name } of found) {
    const { bytes } = await readSource(access, realPath, MAX_BYTES);
    if (bytes === undefined) continue;
    const folder = path.posix.dirname(below);
    const text = new TextDecoder().decode(bytes);
    manifests.push({ path: below, folder: folder === "." ? "" : folder, name, text });
  }
  return manifests;
}

/** A folder and those around it, innermost first: "a/b" gives "a/b", "a" and "". */
export function foldersAbove(folder: string): string[] {
  const parts = folder === "" || folder === "." ? [] : folder.split("/");
  return [...parts.map((_part, index) => parts.slice(0, parts.length - index).join("/")), ""];
}

/** Joins a path to a folder; undefined if it leaves the project. */
export function joined(folder: string, name: string): string | undefined {
  const whole = path.posix.normalize(path.posix.join(folder === "" ? "." : folder, name));
  return whole === ".." || whole.startsWith("../") || whole.startsWith("/") ? undefined : whole;
}

/** The lines of a table in TOML, from its header to the next one. */
export function tomlTable(text: string, name: string): string {
  const lines = text.split("\n");
  const start = lines.findIndex((line) => line.trim() === `[${name}]`);
  if (start === -1) return "";
  const end = lines.findIndex((line, at) => at > start && /^\s*\[\[?[\w."-]/.test(line));
  return lines
    .slice(start + 1, end === -1 ? undefined : end)
    .map((line) => line.trim())
    .join("\n");
}
