import path from "node:path";
import { bigLines, manyEntries, needle } from "./workstation-tree.mjs";

/** @typedef {(tool: string, args: object) => Promise<any>} Ask calls a tool; throws where it failed */
/** @typedef {{ root: string, files: number, needles: number }} Tree */
/**
 * @typedef {object} Job the same work for both servers; each gives the number that shows that it was done
 * @property {string} name
 * @property {string} what
 * @property {(tree: Tree) => number} expected
 * @property {(ask: Ask, tree: Tree) => Promise<number>} ours
 * @property {(ask: Ask, tree: Tree) => Promise<number>} peer
 */

const linesIn = (/** @type {string} */ text) => text.split("\n").filter((each) => each !== "").length;
const rangeLines = 500;
const rangeStarts = Array.from({ length: 10 }, (_, at) => at * (bigLines / 10) + 1000);

/** Goes through all pages of one of our tools. */
async function pages(ask, tool, args, count) {
  let sum = 0;
  for (let next = {}; next !== undefined; ) {
    const { structuredContent: page } = await ask(tool, { ...args, ...next });
    sum += count(page);
    next = page.next;
  }
  return sum;
}

/** @type {Job[]} */
export const jobs = [
  {
    name: "list-10k",
    what: "list 10,000 entries, with kinds and sizes, all pages",
    expected: () => manyEntries,
    ours: (ask) => pages(ask, "fs_list_directory", { path: "many" }, ({ entries }) => entries.length),
    peer: async (ask, { root }) => {
      const { content } = await ask("list_directory_with_sizes", { path: path.join(root, "many") });
      return linesIn(content[0].text).valueOf() - linesIn(content[0].text.slice(content[0].text.indexOf("\n\n")));
    },
  },
  {
    name: "find",
    what: "find files of a large tree by name",
    expected: ({ needles }) => needles,
    ours: (ask) => pages(ask, "fs_find", { path: "tree", glob: "**/*.md" }, ({ found }) => found.length),
    peer: async (ask, { root }) => {
      const { content } = await ask("search_files", { path: path.join(root, "tree"), pattern: "**/*.md" });
      return linesIn(content[0].text);
    },
  },
  {
    name: "search",
    what: "find a text in a large tree (the peer: read every file)",
    expected: ({ needles }) => needles,
    ours: (ask) => pages(ask, "fs_search", { path: "tree", pattern: needle, literal: true }, ({ matches }) => matches),
    peer: async (ask, { root }) => {
      const { content } = await ask("search_files", { path: path.join(root, "tree"), pattern: "**/*" });
      const files = content[0].text.split("\n").filter((each) => /\.(?:md|txt)$/.test(each));
      let found = 0;
      for (let at = 0; at < files.length; at += 50) {
        const read = await ask("read_multiple_files", { paths: files.slice(at, at + 50) });
        found += read.content[0].text.split(needle).length - 1;
      }
      return found;
    },
  },
  {
    name: "ranges",
    what: "read 10 ranges of 500 lines of a file of 30 MB (the peer: from its head)",
    expected: () => 10 * rangeLines,
    ours: async (ask) => {
      let sum = 0;
      for (const offset of rangeStarts) {
        const { structuredContent } = await ask("fs_read_file", { path: "big.txt", offset, limit: rangeLines });
        sum += linesIn(structuredContent.text);
      }
      return sum;
    },
    peer: async (ask, { root }) => {
      let sum = 0;
      for (const offset of rangeStarts) {
        const { content } = await ask("read_text_file", {
          path: path.join(root, "big.txt"),
          head: offset + rangeLines - 1,
        });
        sum += content[0].text.split("\n").slice(offset - 1, offset - 1 + rangeLines).length;
      }
      return sum;
    },
  },
  {
    name: "tail",
    what: "read the last 500 lines of a file of 30 MB",
    expected: () => rangeLines,
    ours: async (ask) =>
      linesIn((await ask("fs_read_file", { path: "big.txt", offset: -rangeLines })).structuredContent.text),
    peer: async (ask, { root }) => {
      const { content } = await ask("read_text_file", { path: path.join(root, "big.txt"), tail: rangeLines + 1 });
      return linesIn(content[0].text);
    },
  },
  {
    name: "whole",
    what: "read a file of 30 MB to its end (ours: page by page; the peer: at once, twice over in one reply)",
    expected: () => bigLines,
    ours: (ask) => pages(ask, "fs_read_file", { path: "big.txt" }, ({ text }) => linesIn(text)),
    peer: async (ask, { root }) =>
      linesIn((await ask("read_text_file", { path: path.join(root, "big.txt") })).content[0].text),
  },
];
