import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";

/** What the jobs look for, and how often it is there. */
export const needle = "the needle in the haystack";

/** How many entries the long folder has. */
export const manyEntries = 10_000;

/** How many lines the long file has; with 60 bytes each it is 30 MB. */
export const bigLines = 500_000;

const fileBytes = 100_000;
const filesPerFolder = 50;
/** One file in so many has the needle. */
const needleEvery = 100;

const line = (/** @type {number} */ number) =>
  `${String(number).padStart(8, "0")} ${"lorem ipsum dolor ".repeat(3).slice(0, 50)}\n`;

/** Lines that differ from file to file, so that no file system keeps them once. */
function fileText(/** @type {number} */ number) {
  const lines = Array.from({ length: Math.floor(fileBytes / 60) }, (_, at) => line(number * 10_000 + at));
  if (number % needleEvery === 0) lines[lines.length >> 1] = `${needle}\n`;
  return lines.join("");
}

/**
 * Makes the folder that both servers work on: a long folder, a long file and a large tree. The caller removes it.
 * @param {{ megabytes: number }} plan how large the tree is
 */
export async function makeTree({ megabytes }) {
  const root = await mkdtemp(path.join(os.tmpdir(), "bench-workstation-"));
  const remove = () => rm(root, { recursive: true, force: true });
  try {
    const many = path.join(root, "many");
    await mkdir(many);
    for (let entry = 0; entry < manyEntries; entry++)
      await writeFile(path.join(many, `entry-${String(entry).padStart(5, "0")}.txt`), "x".repeat(entry % 50));
    await writeFile(path.join(root, "big.txt"), Array.from({ length: bigLines }, (_, at) => line(at + 1)).join(""));
    const files = Math.ceil((megabytes * 1e6) / fileBytes);
    for (let number = 0; number < files; number++) {
      const folder = path.join(root, "tree", `folder-${Math.floor(number / filesPerFolder)}`);
      if (number % filesPerFolder === 0) await mkdir(folder, { recursive: true });
      await writeFile(
        path.join(folder, `file-${number}.${number % needleEvery === 0 ? "md" : "txt"}`),
        fileText(number),
      );
    }
    return { root, files, needles: Math.ceil(files / needleEvery), remove };
  } catch (error) {
    await remove();
    throw error;
  }
}
