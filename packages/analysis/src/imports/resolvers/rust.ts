import path from "node:path";
import type { Resolver, Target } from "../graph.js";
import { type Manifest, tomlTable } from "../manifests.js";

/** The module of a file: the root of its crate, and the path in it. */
interface Module {
  readonly crate: string;
  readonly steps: readonly string[];
}

const ROOTS = /^(?:lib|main|build)\.rs$/;
const ALONE = /(?:^|\/)(?:tests|examples|benches|src\/bin)\/[^/]+\.rs$/;

/** Resolves imports of Rust: modules by the file tree, and crates of the workspace by name. */
export function rustResolver(files: ReadonlySet<string>, manifests: readonly Manifest[]): Resolver {
  const known = new Map<string, Module>();
  const places = new Map<string, string>();
  for (const file of [...files].filter((each) => each.endsWith(".rs"))) {
    const module = moduleOf(file, files);
    known.set(file, module);
    const key = keyOf(module.crate, module.steps);
    if (!places.has(key) || path.posix.basename(file) === "lib.rs") places.set(key, file);
  }
  const crates = cratesOf(manifests);
  return ({ path: own, facts }) => facts.imports.map(({ from }) => resolve(own, from.split("::")));

  function resolve(own: string, steps: readonly string[]): Target {
    const { crate, steps: here } = known.get(own) ?? { crate: own, steps: [] };
    const [head = "", ...rest] = steps;
    if (head === "crate") return found(own, crate, [], rest);
    if (head === "self") return { ...found(own, crate, here, rest), isWeak: true };
    if (head === "super") {
      const count = steps.findIndex((step) => step !== "super");
      const up = count === -1 ? steps.length : count;
      return found(own, crate, here.slice(0, -up), steps.slice(up));
    }
    if (places.has(keyOf(crate, [...here, head]))) return found(own, crate, here, steps);
    const other = crates.get(head);
    return other === undefined ? { external: head } : found(own, other, [], rest);
  }

  /** The module that the longest prefix of a path leads to. */
  function found(own: string, crate: string, base: readonly string[], rest: readonly string[]) {
    for (let count = rest.length; count >= 0; count--) {
      const place = places.get(keyOf(crate, [...base, ...rest.slice(0, count)]));
      if (place !== undefined) return { files: place === own ? [] : [place] };
    }
    return { files: [] };
  }
}

const keyOf = (crate: string, steps: readonly string[]): string => [crate, ...steps].join("::");

function moduleOf(file: string, files: ReadonlySet<string>): Module {
  if (ALONE.test(file)) return { crate: file, steps: [] };
  const parts = file.split("/");
  const name = parts.pop() ?? "";
  for (let count = parts.length; count >= 0; count--) {
    const root = parts.slice(0, count).join("/");
    const at = (each: string) => files.has(root === "" ? each : `${root}/${each}`);
    if (!at("lib.rs") && !at("main.rs")) continue;
    const steps = parts.slice(count);
    const isFolder = name === "mod.rs" || (steps.length === 0 && ROOTS.test(name));
    return { crate: root, steps: isFolder ? steps : [...steps, name.slice(0, -3)] };
  }
  return { crate: file, steps: [] };
}

/** The crates by the names under which other crates use them. */
function cratesOf(manifests: readonly Manifest[]): Map<string, string> {
  const crates = new Map<string, string>();
  for (const { name, folder, text } of manifests) {
    const crateName =
      name === "Cargo.toml" ? /^name[ \t]*=[ \t]*["']([^"'\n]+)["']/m.exec(tomlTable(text, "package"))?.[1] : undefined;
    if (crateName !== undefined) crates.set(crateName.replaceAll("-", "_"), folder === "" ? "src" : `${folder}/src`);
  }
  return crates;
}
