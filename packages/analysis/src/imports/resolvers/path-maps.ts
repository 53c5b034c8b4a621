import path from "node:path";
import { joined, type Manifest } from "../manifests.js";
import { readObject } from "./packages.js";

/** Where names lead that tsconfig.json gives to folders. */
export interface PathMaps {
  readonly pathsOf: (above: readonly string[], from: string) => readonly string[];
}

interface PathMap {
  /** The folder from which names without a dot are looked for; undefined = they are not. */
  readonly base?: string;
  readonly patterns: readonly (readonly [pattern: string, targets: readonly string[]])[];
}

/** Reads `baseUrl` and `paths` of each tsconfig.json, also of those that it extends. */
export function readPathMaps(manifests: readonly Manifest[]): PathMaps {
  const texts = new Map(manifests.map(({ path: below, text }) => [below, text]));
  const maps = new Map<string, PathMap>();
  for (const { name, folder, path: below } of manifests) {
    if (name !== "tsconfig.json" && (name !== "jsconfig.json" || maps.has(folder))) continue;
    const map = readMap(texts, below, 5);
    if (map !== undefined) maps.set(folder, map);
  }
  return {
    pathsOf(above, from) {
      const map = above.map((folder) => maps.get(folder)).find((each) => each !== undefined);
      if (map === undefined) return [];
      const meant = map.patterns.flatMap(([pattern, targets]) => matched(pattern, targets, from));
      const base = map.base === undefined ? undefined : joined(map.base, from);
      return base === undefined ? meant : [...meant, base];
    },
  };
}

function readMap(texts: ReadonlyMap<string, string>, below: string, depth: number): PathMap | undefined {
  const told = readObject(withoutComments(texts.get(below) ?? ""));
  if (told === undefined) return undefined;
  const folder = path.posix.dirname(below);
  const options = (told["compilerOptions"] ?? {}) as { readonly baseUrl?: unknown; readonly paths?: unknown };
  const base = typeof options.baseUrl === "string" ? joined(folder, options.baseUrl) : undefined;
  if (base !== undefined || (typeof options.paths === "object" && options.paths !== null)) {
    const patterns = Object.entries((options.paths ?? {}) as Record<string, unknown>).map(
      ([pattern, targets]) => [pattern, inFolder(base ?? folder, targets)] as const,
    );
    return { patterns, ...(base !== undefined && { base }) };
  }
  const above = told["extends"];
  const parent = typeof above === "string" && above.startsWith(".") ? joined(folder, above) : undefined;
  if (parent === undefined || depth === 0) return undefined;
  return readMap(texts, texts.has(parent) ? parent : `${parent}.json`, depth - 1);
}

const inFolder = (folder: string, targets: unknown): string[] =>
  (Array.isArray(targets) ? targets : [])
    .filter((each) => typeof each === "string")
    .flatMap((each) => joined(folder, each) ?? []);

function matched(pattern: string, targets: readonly string[], from: string): readonly string[] {
  const [before = "", after] = pattern.split("*");
  if (after === undefined) return pattern === from ? targets : [];
  if (!from.startsWith(before) || !from.endsWith(after) || from.length < before.length + after.length) return [];
  const star = from.slice(before.length, from.length - after.length);
  return targets.map((each) => each.replace("*", () => star));
}

/** People write comments and spare commas into tsconfig.json; text in quotes is left as it is. */
const withoutComments = (text: string): string =>
  text
    .replaceAll(/("(?:[^"\\\n]|\\.)*")|\/\/[^\n]*|\/\*[^]*?\*\//g, (_all, quoted: string | undefined) => quoted ?? "")
    .replaceAll(/("(?:[^"\\\n]|\\.)*")|,(?=\s*[}\]])/g, (_all, quoted: string | undefined) => quoted ?? "");
