import { isObject } from "@toolwright/kit/json";
import { joined, type Manifest } from "../manifests.js";

/** Where the packages of a workspace are, by their names. */
export interface Packages {
  /** The paths that an import may mean, the likeliest first; `above` are the folders around the file. */
  readonly pathsOf: (above: readonly string[], from: string) => readonly string[];
}

interface Package {
  readonly folder: string;
  readonly exports: unknown;
  readonly imports: unknown;
  readonly entries: readonly string[];
}

/** Reads each package.json: its name, `exports`, `imports`, `main` and `types`. */
export function readPackages(manifests: readonly Manifest[]): Packages {
  const byName = new Map<string, Package>();
  const byFolder = new Map<string, Package>();
  for (const { name, folder, text } of manifests) {
    if (name !== "package.json") continue;
    const told = readObject(text);
    if (told === undefined) continue;
    const entries = ["types", "module", "main"].map((key) => told[key]).filter((each) => typeof each === "string");
    const each = { folder, exports: told["exports"], imports: told["imports"], entries };
    byFolder.set(folder, each);
    if (typeof told["name"] === "string") byName.set(told["name"], each);
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
        if (found !== undefined) return waysInto(found, parts.slice(count).join("/"));
      }
      return [];
    },
  };
}

function waysInto(own: Package, rest: string): readonly string[] {
  const told = entriesFor(own.exports, rest === "" ? "." : `./${rest}`);
  const guessed = rest === "" ? [...own.entries, "src/index", "index", "src"] : [rest, `src/${rest}`];
  // What is built is not in the project; what it was built from lies in src, under the same name.
  const sources = [...told, ...own.entries].map((each) => each.replace(/^(\.\/)?(?:dist|lib|build|out)\//, "src/"));
  return inFolder(own, [...told, ...sources, ...guessed]);
}

const inFolder = ({ folder }: Package, names: readonly string[]): string[] =>
  names.map((name) => joined(folder, name)).filter((name) => name !== undefined);

/** Every file that an entry of `exports` or `imports` may mean, whatever the conditions. */
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

/** Conditions are nested a few levels at most. */
function leaves(value: unknown, depth = 8): string[] {
  if (typeof value === "string") return [value];
  if (depth === 0 || typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap((each) => leaves(each, depth - 1));
}

/** A JSON object; undefined where the text is none. */
export function readObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
