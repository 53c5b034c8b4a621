import { readFile } from "node:fs/promises";
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

test("the engine is small", () => {
  expect(packed.engine.unpackedBytes).toBeLessThan(600_000);
});

test("the program has few files of code", () => {
  const code = packed.toolwright.files.filter((file) => file.endsWith(".js"));
  expect(code.length).toBeLessThan(25);
  expect(code).toContain("dist/main.js");
});

test.each(["engine", "toolwright"] as const)(
  "%s has its licence, those of others, and a page that says what it is",
  (name) => {
    const { files } = packed[name];
    expect(files).toEqual(
      expect.arrayContaining(["LICENSE", "README.md", "package.json", "dist/THIRD-PARTY-NOTICES.txt"]),
    );
  },
);

test.each(["engine", "toolwright"] as const)("%s brings no tests and no sources", (name) => {
  expect(packed[name].files.filter((file) => /\.test\.|^src\/|node_modules/.test(file))).toEqual([]);
});

test.each(["engine", "maps", "toolwright"] as const)("publint has nothing against %s", async (name) => {
  const said = await run(path.join(programs, "publint"), [packed[name].file, "--strict"], root);
  expect(said).toContain("All good!");
});

test("the types of the engine are right for whoever imports it", async () => {
  const said = await run(path.join(programs, "attw"), [packed.engine.file, "--profile", "esm-only"], root);
  // It ends with an error where anything is wrong; four entries, each found by Node and by bundlers.
  expect(said.match(/(?:node16 \(from ESM\)|bundler): 🟢/g)).toHaveLength(8);
}, 120_000);

test.each([
  ["engine", "jose"],
  ["toolwright", "js-tiktoken"],
] as const)("%s names all whose work is built into it, such as %s", async (name, one) => {
  const folder = path.join(root, "packages", name);
  const inputs = JSON.parse(await readFile(path.join(folder, "built/inputs.json"), "utf8")) as string[];
  const built = inputs.flatMap((file) => /^.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? []);
  const notices = await readFile(path.join(folder, "dist/THIRD-PARTY-NOTICES.txt"), "utf8");
  const named = [...notices.matchAll(/^(@?[\w./-]+) \d+\.\d+\.\d+\S* \(.+\)$/gm)].map(([, each]) => each);
  expect(new Set(named)).toEqual(new Set(built));
  expect(built).toContain(one);
});

test("the package for maps has one for each file of the engine that has much code of ours, with the sources", async () => {
  const links = await Promise.all(
    packed.engine.files
      .filter((file) => file.endsWith(".js"))
      .map(async (file) => {
        const code = await readFile(path.join(root, "packages/engine", file), "utf8");
        return { file, link: /\n\/\/# sourceMappingURL=(.+)\n$/.exec(code)?.[1] };
      }),
  );
  const linked = links.flatMap(({ link }) => (link === undefined ? [] : [link.replace("../../engine-maps/", "")]));
  expect(packed.maps.files.filter((file) => file.endsWith(".map")).sort()).toEqual(linked.sort());
  const others = links.filter(({ file, link }) => link === undefined && !/^dist\/[A-Z\d]{8}\.js$/.test(file));
  expect(others.map(({ file }) => file)).toEqual(["dist/boot.js", "dist/client.js", "dist/index.js", "dist/ws.js"]);
  expect(packed.maps.files.filter((file) => !file.endsWith(".map")).sort()).toEqual([
    "LICENSE",
    "README.md",
    "dist/THIRD-PARTY-NOTICES.txt",
    "package.json",
  ]);
});

test("the package for maps is of the engine's version, which asks for no other", async () => {
  const of = async (name: string) =>
    JSON.parse(await readFile(path.join(root, "packages", name, "package.json"), "utf8")) as Record<string, unknown>;
  const { version, name } = await of("engine-maps");
  expect(await of("engine")).toMatchObject({ version, peerDependencies: { [String(name)]: version } });
});

test("the page of the manual comes along", async () => {
  expect(packed.toolwright.files).toContain("man/toolwright.1");
  const page = await readFile(path.join(root, "packages/toolwright/man/toolwright.1"), "utf8");
  expect(page).toMatch(/^\.TH TOOLWRIGHT 1 /);
});
