import { type BuildAction, type Ecosystem } from "../ecosystem.js";
import { type Findings, failure, toLines } from "../findings.js";
import { parseColonLines } from "../parsers/line-parsers.js";
import { parsePytest } from "./python.js";

const FILES = ["GNUmakefile", "makefile", "Makefile"];

/** The conventional targets of an action, the most common one first. A build without one makes the first target of the file. */
const TARGETS: Readonly<Record<BuildAction, readonly string[]>> = {
  build: ["build", "all"],
  test: ["test", "tests", "check"],
  restore: ["restore", "deps", "install-deps", "setup"],
  lint: ["lint", "vet"],
};

/** Projects with a makefile. */
export const make: Ecosystem = {
  name: "make",
  markIn: (names) => FILES.find((name) => names.has(name)),
  async plan(action, project) {
    if (action === "test" && project.test !== undefined) return "make cannot select one test. Omit test";
    const mark = this.markIn(project.names) ?? "Makefile";
    const text = (await project.read(mark)) ?? "";
    const target = TARGETS[action].find((name) => new RegExp(`^${name}\\s*:(?!=)`, "m").test(text));
    if (target === undefined && action !== "build")
      return `${mark} has no target ${TARGETS[action].join(" or ")}. Add one, or allow the command in packs.workstation.commands and use ci_run_command`;
    return {
      program: "make",
      args: ["--keep-going", "-f", mark, ...(target === undefined ? [] : [target])],
      parsers: [parseColonLines, parseMake, parsePytest],
      install: "Install make, such as with: apt-get install make",
    };
  },
};

/** Reads errors of make and linkers. */
export function parseMake(text: string): Findings {
  return {
    failures: toLines(text).flatMap((line) => {
      const symbol = line.indexOf("undefined reference to ");
      if (symbol >= 0) return [failure({}, line.slice(symbol))];
      const { file, row, target } =
        /^\w*make(?:\[\d+\])?: \*\*\* \[(?:(?<file>[^\]:]+):(?<row>\d+): )?(?<target>[^\]]+)\] (?:Error|Segmentation|Killed)/.exec(
          line,
        )?.groups ?? {};
      if (target !== undefined) return [failure({ file, line: row }, line.replace(/^.*?\*\*\* /, ""))];
      const fatal = /^\w*make(?:\[\d+\])?: \*\*\* (?<message>No rule .+|.*missing separator.*)$/.exec(line)?.groups?.[
        "message"
      ];
      return fatal === undefined ? [] : [failure({}, fatal)];
    }),
  };
}
