import { spawnSync } from "node:child_process";
import path from "node:path";

/** The names that lizard has for languages, where they are others than ours. */
const NAMES = { c: "cpp" };

/** lizard counts decisions in the words of a text, without a tree. */
export const judges = [
  {
    name: "lizard",
    languages: "typescript tsx javascript python rust go java c cpp csharp kotlin ruby php swift".split(" "),
    version: () =>
      spawnSync("python3", ["-m", "lizard", "--version"], { encoding: "utf8" }).stdout?.trim() || undefined,
    measure(folder, language) {
      const { stdout } = spawnSync("python3", ["-m", "lizard", "--csv", "-l", NAMES[language] ?? language, folder], {
        encoding: "utf8",
      });
      return stdout.split("\n").filter(Boolean).map(readRow);
    },
  },
];

/** Of the columns, these are of interest: the number, the file, the name and the first line. */
function readRow(row) {
  const columns = [...row.matchAll(/"((?:[^"]|"")*)"|([^,]+)/g)].map(([, quoted, bare]) => quoted ?? bare);
  const [, cyclomatic, , , , , file, name, , line] = columns;
  return { file: path.basename(file), name, line: Number(line), cyclomatic: Number(cyclomatic) };
}
