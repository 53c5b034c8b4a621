import type { Deed, Ecosystem } from "../ecosystem.js";
import { colonLines } from "../parsers/colon-lines.js";
import { make as makeParser } from "../parsers/make.js";
import { pytest } from "../parsers/pytest.js";

const FILES = ["GNUmakefile", "makefile", "Makefile"];

/** The targets that people give to a deed, the usual one first; a build without one makes whatever is first in the file. */
const TARGETS: Readonly<Record<Deed, readonly string[]>> = {
  build: ["build", "all"],
  test: ["test", "tests", "check"],
  restore: ["restore", "deps", "install-deps", "setup"],
  lint: ["lint", "vet"],
};

/** Anything that has a makefile. */
export const make: Ecosystem = {
  name: "make",
  markIn: (names) => FILES.find((name) => names.has(name)),
  async plan(deed, project) {
    if (deed === "test" && project.test !== undefined) return "make cannot pick one test. Leave out test";
    const mark = this.markIn(project.names) ?? "Makefile";
    const text = (await project.read(mark)) ?? "";
    const target = TARGETS[deed].find((name) => new RegExp(`^${name}\\s*:(?!=)`, "m").test(text));
    if (target === undefined && deed !== "build")
      return `${mark} has no target ${TARGETS[deed].join(" or ")}. Add one, or allow the command that you want in packs.workstation.commands and use ci_run_command`;
    return {
      program: "make",
      args: ["--keep-going", "-f", mark, ...(target === undefined ? [] : [target])],
      parsers: [colonLines, makeParser, pytest],
      install: "Install make, such as with: apt-get install make",
    };
  },
};
