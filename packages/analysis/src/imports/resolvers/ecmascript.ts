import path from "node:path";
import type { LinkedFile, Resolver, Target } from "../graph.js";
import { foldersAbove, joined, type Manifest } from "../manifests.js";
import { readPackages } from "./packages.js";
import { readPathMaps } from "./path-maps.js";

const ENDS = [".ts", ".tsx", ".d.ts", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs"];
/** What a compiled file was made from. */
const SOURCES: Readonly<Record<string, readonly string[]>> = {
  ".js": [".ts", ".tsx", ".d.ts"],
  ".jsx": [".tsx"],
  ".mjs": [".mts"],
  ".cjs": [".cts"],
};
const CODE = /\.(?:[cm]?[jt]sx?)$/;

/** JavaScript, TypeScript and TSX: relative paths, `paths` of tsconfig.json, and packages of the workspace by their names. */
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
    const ways = [...made, base, ...ENDS.map((other) => base + other), ...ENDS.map((other) => `${base}/index${other}`)];
    return ways.map((way) => way.replace(/^\.\//, "")).find((way) => files.has(way));
  }
}

/** The package of `zod/v4` and `@scope/name/part`. */
const packageName = (from: string): string =>
  from
    .split("/")
    .slice(0, from.startsWith("@") ? 2 : 1)
    .join("/");
