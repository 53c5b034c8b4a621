import type { Language } from "@toolwright/kit/syntax";
import type { LinkedFile, Resolver, Target } from "../graph.js";

/** Languages whose imports name types and not files. Languages of one family can import each other. */
const FAMILIES: Readonly<Partial<Record<Language, string>>> = {
  java: "jvm",
  kotlin: "jvm",
  csharp: "csharp",
  php: "php",
  swift: "swift",
};

interface Names {
  /** Files by the qualified names of their declarations. */
  readonly places: ReadonlyMap<string, string>;
  readonly namespaces: ReadonlySet<string>;
}

/** Resolves types by name, for Java, Kotlin, C#, PHP and Swift. Types of the same package and of imported namespaces need no import. */
export function namedResolver(files: readonly LinkedFile[]): Resolver {
  const families = new Map<string, Names>();
  for (const family of new Set(Object.values(FAMILIES)))
    families.set(family, namesOf(files.filter(({ language }) => FAMILIES[language] === family)));
  return (file) => {
    const names = families.get(FAMILIES[file.language] ?? "");
    return names === undefined ? [] : resolve(file, names);
  };
}

function resolve(file: LinkedFile, { places, namespaces }: Names): Target[] {
  const mark = file.language === "php" ? "\\" : ".";
  const around = [namespaceOf(file), ...(file.language === "csharp" ? parentsOf(namespaceOf(file)) : [])];
  const open = [...around, ...file.facts.imports.map(({ from }) => from.replace(/\.\*$/, ""))].filter(
    (each) => each === "" || namespaces.has(each),
  );
  const declared = new Set(file.facts.outline.map(({ name }) => name));
  return file.facts.imports.map(({ from, names = [] }): Target => {
    if (from === "*") {
      const used = names.filter((name) => !declared.has(name));
      const found = used.flatMap((name) => placeIn(open, name) ?? []);
      return { files: [...new Set(found)] };
    }
    if (from.startsWith("./")) return { files: fileAt(from, places) };
    const parts = from.replace(/^\\/, "").split(mark);
    for (let count = parts.length; count > 0; count--) {
      const place = places.get(parts.slice(0, count).join("."));
      if (place !== undefined) return { files: [place] };
    }
    return namespaces.has(parts.join(".").replace(/\.\*$/, "")) ||
      (file.language === "swift" && namespaces.has(parts[0] ?? ""))
      ? undefined
      : { external: parts.slice(0, 2).join(mark) };
  });

  function placeIn(scopes: readonly string[], name: string): string | undefined {
    for (const scope of scopes) {
      const place = places.get(scope === "" ? name : `${scope.replaceAll("\\", ".")}.${name}`);
      if (place !== undefined) return place;
    }
    return undefined;
  }
}

/** The file of a PHP require, by the end of its path. */
const fileAt = (from: string, places: ReadonlyMap<string, string>): string[] => {
  const end = from.replace(/^(?:\.{1,2}\/)+/, "/");
  return [...new Set(places.values())].filter((place) => `/${place}`.endsWith(end)).slice(0, 1);
};

const namespaceOf = ({ facts }: LinkedFile): string =>
  (facts.outline.find(({ kind }) => kind === "module")?.name ?? "").replaceAll("\\", ".");

function parentsOf(namespace: string): string[] {
  const parts = namespace.split(".");
  return parts.slice(1).map((_part, index) => parts.slice(0, parts.length - 1 - index).join("."));
}

function namesOf(files: readonly LinkedFile[]): Names {
  const places = new Map<string, string>();
  const namespaces = new Set<string>();
  const doubtful = new Set<string>();
  for (const file of files) {
    const namespace = namespaceOf(file);
    namespaces.add(namespace);
    const module = /(?:^|\/)Sources\/([^/]+)\//.exec(file.path)?.[1];
    if (file.language === "swift" && module !== undefined) namespaces.add(module);
    for (const { name, kind } of file.facts.outline) {
      if (kind === "module" || name.includes(".")) continue;
      const whole = namespace === "" ? name : `${namespace}.${name}`;
      if ((places.get(whole) ?? file.path) !== file.path) doubtful.add(whole);
      places.set(whole, file.path);
    }
  }
  // Two files with the same declaration belong to different programs; which one is meant is unknown.
  for (const name of doubtful) places.delete(name);
  return { places, namespaces };
}
