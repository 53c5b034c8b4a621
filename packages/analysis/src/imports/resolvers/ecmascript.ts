import path from "node:path";
import { isObject } from "@toolwright/kit/json";
import type { LinkedFile, Resolver, Target } from "../graph.js";
import { foldersAbove, joined, type Manifest } from "../manifests.js";

const EXTENSIONS = [".ts", ".tsx", ".d.ts", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs"];
/** The source extensions of compiled files. */
const SOURCES: Readonly<Record<string, readonly string[]>> = {
  ".js": [".ts", ".tsx", ".d.ts"],
  ".jsx": [".tsx"],
  ".mjs": [".mts"],
  ".cjs": [".cts"],
};
const CODE = /\.(?:[cm]?[jt]sx?)$/;

/** Resolves imports of JavaScript and TypeScript: relative paths, `paths` of tsconfig.json, and packages of the workspace. */
export function ecmascriptResolver(files: ReadonlySet<string>, manifests: readonly Manifest[]): Resolver {
  const packages = readPackages(manifests);
  const maps = readPathMaps(manifests);
  return ({ path: own, facts }) => facts.imports.map(({ from }) => resolve(own, from.replace(/[?#].*$/, "") || from));

  function resolve(own: LinkedFile["path"], from: string): Target {
    const folder = path.posix.dirname(own);
    if (/^\.{1,2}(?:\/|$)/.test(from)) {
      const found = probe(joined(folder, from));
      if (found !== undefined) return { files: [found] };
      const end = path.posix.extname(from);
      return end === "" || CODE.test(from) || !/^\.[a-z0-9]+$/i.test(end) ? { missing: true } : undefined;
    }
    const mapped = first([
      ...maps.pathsOf(foldersAbove(folder), from),
      ...packages.pathsOf(foldersAbove(folder), from),
    ]);
    if (mapped !== undefined) return { files: [mapped] };
    if (from.startsWith("#") || from.startsWith("/")) return { missing: true };
    return { external: packageName(from) };
  }

  function first(paths: readonly string[]): string | undefined {
    for (const each of paths) {
      const found = probe(each);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  function probe(base: string | undefined): string | undefined {
    if (base === undefined) return undefined;
    const end = path.posix.extname(base);
    const made = SOURCES[end]?.map((other) => base.slice(0, -end.length) + other) ?? [];
    const ways = [
      ...made,
      base,
      ...EXTENSIONS.map((other) => base + other),
      ...EXTENSIONS.map((other) => `${base}/index${other}`),
    ];
    return ways.map((way) => way.replace(/^\.\//, "")).find((way) => files.has(way));
  }
}

/** The package name in `zod/v4` and `@scope/name/part`. */
const packageName = (from: string): string =>
  from
    .split("/")
    .slice(0, from.startsWith("@") ? 2 : 1)
    .join("/");

/** The packages of a workspace. */
interface Packages {
  /** The paths that an import may mean, most likely first; `above` are the folders around the file. */
  readonly pathsOf: (above: readonly string[], from: string) => readonly string[];
}

interface Package {
  readonly folder: string;
  readonly exports: unknown;
  readonly imports: unknown;
  readonly entries: readonly string[];
}

/** Reads every package.json: its name, `exports`, `imports`, `main` and `types`. */
function readPackages(manifests: readonly Manifest[]): Packages {
  const byName = new Map<string, Package>();
  const byFolder = new Map<string, Package>();
  for (const { name, folder, text } of manifests) {
    if (name !== "package.json") continue;
    const manifest = readObject(text);
    if (manifest === undefined) continue;
    const entries = ["types", "module", "main"].map((key) => manifest[key]).filter((each) => typeof each === "string");
    const each = { folder, exports: manifest["exports"], imports: manifest["imports"], entries };
    byFolder.set(folder, each);
    if (typeof manifest["name"] === "string") byName.set(manifest["name"], each);
  }
  return {
    pathsOf(above, from) {
      if (from.startsWith("#")) {
        const own = above.map((folder) => byFolder.get(folder)).find((each) => each !== undefined);
        return own === undefined ? [] : inFolder(own, entriesFor(own.imports, from));
      }
      const parts = from.split("/");
      for (let count = parts.length; count > 0; count--) {
        const found = byName.get(parts.slice(0, count).join("/"));
        if (found !== undefined) return entriesOf(found, parts.slice(count).join("/"));
      }
      return [];
    },
  };
}

function entriesOf(own: Package, rest: string): readonly string[] {
  const exported = entriesFor(own.exports, rest === "" ? "." : `./${rest}`);
  const guessed = rest === "" ? [...own.entries, "src/index", "index", "src"] : [rest, `src/${rest}`];
  // Build output is not in the project. Its source is in src, under the same name.
  const sources = [...exported, ...own.entries].map((each) => each.replace(/^(\.\/)?(?:dist|lib|build|out)\//, "src/"));
  return inFolder(own, [...exported, ...sources, ...guessed]);
}

const inFolder = ({ folder }: Package, names: readonly string[]): string[] =>
  names.map((name) => joined(folder, name)).filter((name) => name !== undefined);

/** Every file that an entry of `exports` or `imports` may mean, for any condition. */
function entriesFor(map: unknown, key: string): string[] {
  if (typeof map === "string") return key === "." ? [map] : [];
  if (!isObject(map)) return [];
  if (!Object.keys(map).some((each) => /^[.#]/.test(each))) return key === "." ? leaves(map) : [];
  if (Object.hasOwn(map, key)) return leaves(map[key]);
  return Object.entries(map).flatMap(([pattern, value]) => {
    const [before = "", after] = pattern.split("*");
    if (after === undefined || !key.startsWith(before) || !key.endsWith(after)) return [];
    const star = key.slice(before.length, key.length - after.length);
    return leaves(value).map((each) => each.replaceAll("*", () => star));
  });
}

/** Conditions are nested a few levels deep at most. */
function leaves(value: unknown, depth = 8): string[] {
  if (typeof value === "string") return [value];
  if (depth === 0 || typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap((each) => leaves(each, depth - 1));
}

/** Parses a JSON object; undefined if the text is not one. */
export function readObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The path mappings of tsconfig.json. */
interface PathMaps {
  readonly pathsOf: (above: readonly string[], from: string) => readonly string[];
}

interface PathMap {
  /** The folder that bare names are relative to, if set. */
  readonly base?: string;
  readonly patterns: readonly (readonly [pattern: string, targets: readonly string[]])[];
}

/** Reads `baseUrl` and `paths` of every tsconfig.json, including inherited ones. */
function readPathMaps(manifests: readonly Manifest[]): PathMaps {
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
  const config = readObject(withoutComments(texts.get(below) ?? ""));
  if (config === undefined) return undefined;
  const folder = path.posix.dirname(below);
  const options = (config["compilerOptions"] ?? {}) as { readonly baseUrl?: unknown; readonly paths?: unknown };
  const base = typeof options.baseUrl === "string" ? joined(folder, options.baseUrl) : undefined;
  if (base !== undefined || (typeof options.paths === "object" && options.paths !== null)) {
    const patterns = Object.entries((options.paths ?? {}) as Record<string, unknown>).map(
      ([pattern, targets]) => [pattern, targetsIn(base ?? folder, targets)] as const,
    );
    return { patterns, ...(base !== undefined && { base }) };
  }
  const above = config["extends"];
  const parent = typeof above === "string" && above.startsWith(".") ? joined(folder, above) : undefined;
  if (parent === undefined || depth === 0) return undefined;
  return readMap(texts, texts.has(parent) ? parent : `${parent}.json`, depth - 1);
}

const targetsIn = (folder: string, targets: unknown): string[] =>
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

/** Removes comments and trailing commas, which are allowed in tsconfig.json. Strings are unchanged. */
const withoutComments = (text: string): string =>
  text
    // An unclosed comment extends to the end, so that no part of the text is searched twice.
    .replaceAll(
      /("(?:[^"\\\n]|\\.)*")|\/\/[^\n]*|\/\*(?:[^*]|\*(?!\/))*(?:\*\/|$)/g,
      (_all, quoted: string | undefined) => quoted ?? "",
    )
    .replaceAll(/("(?:[^"\\\n]|\\.)*")|,(?=\s*[}\]])/g, (_all, quoted: string | undefined) => quoted ?? "");
