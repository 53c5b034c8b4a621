import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { packAll, run } from "./pack.js";

const root = fileURLToPath(new URL("../../", import.meta.url));
const programs = path.join(root, "node_modules/.bin");

let packed: Awaited<ReturnType<typeof packAll>>;
beforeAll(async () => {
  packed = await packAll();
}, 120_000);
afterAll(() => packed.remove());

const read = (name: string, file: string) => readFile(path.join(root, "packages", name, file), "utf8");
const manifestOf = async (name: string) =>
  JSON.parse(await read(name, "package.json")) as Record<string, Record<string, string>>;

test("the engine has at most 1.5 MB unpacked", () => {
  expect(packed.engine.unpackedBytes).toBeLessThan(1_500_000);
});

test("the engine has no runtime dependencies", async () => {
  const { dependencies, peerDependencies, optionalDependencies } = await manifestOf("engine");
  expect([dependencies, peerDependencies, optionalDependencies]).toEqual([undefined, undefined, undefined]);
});

test("the program has few files of code", () => {
  const code = packed.toolwright.files.filter((file) => file.endsWith(".js"));
  expect(code.length).toBeLessThan(25);
  expect(code).toContain("dist/main.js");
});

test.each(["engine", "toolwright"] as const)("%s has its licence, third-party notices and a README", (name) => {
  const { files } = packed[name];
  expect(files).toEqual(
    expect.arrayContaining(["LICENSE", "README.md", "package.json", "dist/THIRD-PARTY-NOTICES.txt"]),
  );
});

test.each(["engine", "toolwright"] as const)("%s contains no tests and no sources", (name) => {
  expect(packed[name].files.filter((file) => /\.test\.|^src\/|node_modules/.test(file))).toEqual([]);
});

test.each(["engine", "toolwright"] as const)("publint accepts %s", async (name) => {
  const output = await run(path.join(programs, "publint"), [packed[name].file, "--strict"], root);
  expect(output).toContain("All good!");
});

test("the types of every entry point of the engine resolve", async () => {
  const output = await run(path.join(programs, "attw"), [packed.engine.file, "--profile", "esm-only"], root);
  const { exports = {} } = await manifestOf("engine");
  // It exits with an error if anything is wrong. Each entry point is resolved by Node and by bundlers.
  expect(output.match(/(?:node16 \(from ESM\)|bundler): 🟢/g)).toHaveLength(2 * Object.keys(exports).length);
}, 120_000);

test("the declarations of the engine keep their doc comments", async () => {
  const declarations = packed.engine.files.filter((file) => file.endsWith(".d.ts"));
  const texts = await Promise.all(declarations.map((file) => read("engine", file)));
  const documented = texts.flatMap((text) => text.match(/\*\/\nexport declare function createServer\b/g) ?? []);
  expect(documented.length).toBeGreaterThan(0);
});

test("the code of the engine is ASCII, which V8 stores with one byte a character", async () => {
  const code = packed.engine.files.filter((file) => file.endsWith(".js"));
  const texts = await Promise.all(code.map(async (file) => ({ file, text: await read("engine", file) })));
  expect(texts.length).toBeGreaterThan(10);
  expect(texts.filter(({ text }) => Buffer.byteLength(text) > text.length).map(({ file }) => file)).toEqual([]);
});

test("each file of the engine with code has a source map, which names files of the repository", async () => {
  const code = packed.engine.files.filter((file) => file.endsWith(".js"));
  const sources = new Set<string>();
  for (const file of code) {
    const link = /\n\/\/# sourceMappingURL=(.+)\n?$/.exec(await read("engine", file))?.[1];
    if (link === undefined) continue;
    const folder = path.posix.dirname(file);
    const map = JSON.parse(await read("engine", `${folder}/${link}`)) as { sources: string[] };
    for (const source of map.sources) sources.add(path.posix.join(folder, source));
  }
  expect(packed.engine.files.filter((file) => file.endsWith(".map")).length).toBeGreaterThan(10);
  const files = await readdir(path.join(root, "packages/engine/src"), { recursive: true });
  const own = [...sources].filter((source) => source.startsWith("src/"));
  expect(own).toContain("src/server/server.ts");
  expect(own.filter((source) => !files.includes(path.normalize(source.slice("src/".length))))).toEqual([]);
});

test.each(["engine", "toolwright"] as const)("the notices of %s name the packages that are bundled", async (name) => {
  const { devDependencies = {} } = await manifestOf(name);
  const bundled = Object.keys(devDependencies).filter((each) => !/^@(?:types|toolwright)\//.test(each));
  const notices = await read(name, "dist/THIRD-PARTY-NOTICES.txt");
  const named = [...notices.matchAll(/^(@?[\w./-]+) \d+\.\d+\.\d+\S* \(.+\)$/gm)].map(([, each]) => each);
  expect(named).toEqual(expect.arrayContaining(bundled));
  expect(named).toEqual(name === "engine" ? ["jose", "ws"] : expect.arrayContaining(["jose", "js-tiktoken", "ws"]));
});

test("the notices name the authors of every grammar that is included", async () => {
  const notices = await read("toolwright", "dist/THIRD-PARTY-NOTICES.txt");
  const named = [...notices.matchAll(/^(?:@tree-sitter-grammars\/)?tree-sitter-([\w-]+)(?: [\d.]+)? \(MIT\)$/gm)].map(
    ([, name = ""]) => name.replace("c-sharp", "csharp"),
  );
  const grammars = packed.toolwright.files.flatMap((file) => /grammars\/(\w+)\.wasm\.br$/.exec(file)?.[1] ?? []);
  // Both languages have one project.
  const projects = new Set(grammars.map((grammar) => (grammar === "tsx" ? "typescript" : grammar)));
  expect(projects.size).toBeGreaterThan(10);
  expect(named.toSorted()).toEqual([...projects].sort());
  expect(notices).toContain("Copyright (c) 2017 Maxim Sokolov");
});

test("the manual page is included", async () => {
  expect(packed.toolwright.files).toContain("man/toolwright.1");
  expect(await read("toolwright", "man/toolwright.1")).toMatch(/^\.TH TOOLWRIGHT 1 /);
});
