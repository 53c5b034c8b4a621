import { spawnSync } from "node:child_process";
import path from "node:path";

/** gocyclo and gocognit, as `go install` has put them on the path. */
export const judges = [judgeOf("gocyclo", "cyclomatic", "fzipp"), judgeOf("gocognit", "cognitive", "uudashr")];

function judgeOf(name, metric, owner) {
  return {
    name,
    languages: ["go"],
    version: () => versionOf(name, `github.com/${owner}/${name}`),
    measure(folder) {
      const { stdout } = spawnSync(name, [folder], { encoding: "utf8" });
      return [...stdout.matchAll(/^(\d+) \S+ (.+) (\S+):(\d+):\d+$/gm)].map(([, number, called, file, line]) => ({
        file: path.basename(file),
        name: called,
        line: Number(line),
        [metric]: Number(number),
      }));
    },
  };
}

/** A Go program knows the modules that it was built from. */
function versionOf(program, module) {
  const found = spawnSync("which", [program], { encoding: "utf8" }).stdout?.trim();
  if (!found) return undefined;
  const { stdout } = spawnSync("go", ["version", "-m", found], { encoding: "utf8" });
  return new RegExp(`\\t${module}\\tv(\\S+)`).exec(stdout ?? "")?.[1];
}
