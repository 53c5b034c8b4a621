import { describe, expect, test } from "vitest";
import { toTree, treemap } from "../../../src/report/draw-treemap.js";

const box = { x: 0, y: 0, width: 1000, height: 600 };

const files = (count: number, size = 100): { path: string; size: number }[] =>
  Array.from({ length: count }, (_, index) => ({ path: `src/part-${index % 9}/file-${index}.ts`, size }));

describe("a treemap", () => {
  test("has a label for each folder, and joins folders that hold but one", () => {
    const tiles = treemap(
      [
        { path: "packages/engine/src/a.ts", size: 300 },
        { path: "packages/engine/src/b.ts", size: 200 },
        { path: "main.ts", size: 100 },
      ],
      box,
    );
    expect(tiles.map(({ kind, name, path, depth }) => [kind, name, path, depth])).toEqual([
      ["folder", "packages/engine/src", "packages/engine/src", 0],
      ["file", "a.ts", "packages/engine/src/a.ts", 1],
      ["file", "b.ts", "packages/engine/src/b.ts", 1],
      ["file", "main.ts", "main.ts", 0],
    ]);
  });

  test("keeps tiles inside their folder, clear of its label", () => {
    const tiles = treemap(files(80), box);
    const folders = tiles.filter(({ kind }) => kind === "folder");
    expect(folders).toHaveLength(10);
    for (const tile of tiles.filter(({ kind }) => kind === "file")) {
      const around = folders.find(({ path }) => path === tile.path.slice(0, tile.path.lastIndexOf("/")))?.box;
      expect(tile.box.x).toBeGreaterThanOrEqual((around?.x ?? 0) - 1e-6);
      expect(tile.box.y).toBeGreaterThanOrEqual((around?.y ?? 0) + 18 - 1e-6);
      expect(tile.box.x + tile.box.width).toBeLessThanOrEqual((around?.x ?? 0) + (around?.width ?? 0) + 1e-6);
      expect(tile.box.y + tile.box.height).toBeLessThanOrEqual((around?.y ?? 0) + (around?.height ?? 0) + 1e-6);
    }
  });

  test("puts together what is too small, and loses no file", () => {
    const given = [...files(20_000, 10), { path: "src/large.ts", size: 100_000 }];
    const tiles = treemap(given, box);
    expect(tiles.length).toBeLessThan(3500);
    expect(tiles.flatMap(({ items }) => items)).toHaveLength(20_001);
    expect(tiles.find(({ path }) => path === "src/large.ts")?.kind).toBe("file");
    const others = tiles.find(({ kind }) => kind === "others");
    expect(others?.name).toBe(`${others?.items.length} more`);
  });

  test("has no tile for a file without lines, and none at all without files", () => {
    expect(treemap([{ path: "empty.ts", size: 0 }], box)).toEqual([]);
    expect(treemap([], box)).toEqual([]);
  });

  test("takes names for names, whatever they are", () => {
    const tree = toTree([
      { path: "__proto__/constructor.ts", size: 1 },
      { path: "toString/a.ts", size: 2 },
    ]);
    expect(tree.children.map(({ name }) => name)).toEqual(["toString", "__proto__"]);
  });
});
