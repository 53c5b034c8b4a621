import { readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const packageFolder = fileURLToPath(new URL("../", import.meta.url));
const manifest = JSON.parse(readFileSync(`${packageFolder}package.json`, "utf8")) as {
  exports: Record<string, Record<string, string>>;
};
const entries = Object.values(manifest.exports).map((entry) =>
  (entry["@toolwright/source"] ?? "").slice("./src/".length),
);
const read = (file: string): string => readFileSync(`${packageFolder}src/${file}`, "utf8");

/** The exported names of an entry point, each with the file and the name that it is declared with. */
function exportsOf(entry: string): Map<string, string> {
  const text = read(entry);
  const found = new Map<string, string>();
  for (const [, list = "", from = ""] of text.matchAll(/^export (?:type )?\{([^}]*)\} from "([^"]+)"/gm)) {
    const names = list.split(",").map((name) => name.trim().replace(/^type /, ""));
    for (const name of names.filter((each) => each !== "")) {
      const [declared = "", exported = declared] = name.split(" as ");
      found.set(exported, `${path.posix.normalize(from)}#${declared}`);
    }
  }
  const declarations = /^export (?:declare )?(?:async )?(?:function|class|interface|const|type) (\w+)/gm;
  for (const [, name = ""] of text.matchAll(declarations)) found.set(name, `${entry}#${name}`);
  return found;
}

/** Every file that an entry point loads when it is imported: values only, without what `import()` loads later. */
function loadedBy(entry: string): Set<string> {
  const loaded = new Set<string>();
  const visit = (file: string): void => {
    if (loaded.has(file)) return;
    loaded.add(file);
    const statements = read(file).matchAll(/^(?:import|export)\s+(?!type\s)([^;"]*?)(?:from\s*)?"(\.[^"]+)"/gm);
    for (const [, clause = "", target = ""] of statements) {
      const names = /\{([^}]*)\}/
        .exec(clause)?.[1]
        ?.split(",")
        .map((name) => name.trim());
      const isTypeOnly = names?.every((name) => name === "" || name.startsWith("type ")) ?? false;
      if (!isTypeOnly) visit(path.posix.join(path.posix.dirname(file), target).replace(/\.js$/, ".ts"));
    }
  };
  visit(entry);
  return loaded;
}

test("the root has at most 60 names", () => {
  expect(exportsOf("index.ts").size).toBeLessThanOrEqual(60);
});

test("the root loads neither HTTP nor sockets nor the client", () => {
  const beyond = [...loadedBy("index.ts")].filter((file) =>
    /^(?:transports\/(?:http|websocket|unix-socket)|client|testing)/.test(file),
  );
  expect(beyond).toEqual([]);
});

test("an exported name means the same at every entry point", () => {
  const meanings = new Map<string, Set<string>>();
  for (const entry of entries) {
    for (const [name, declared] of exportsOf(entry)) {
      meanings.set(name, (meanings.get(name) ?? new Set()).add(declared));
    }
  }
  const ambiguous = [...meanings].filter(([, declared]) => declared.size > 1).map(([name]) => name);
  expect(ambiguous).toEqual([]);
});

test("types.ts has types only", () => {
  expect(loadedBy("types.ts").size).toBe(1);
});
