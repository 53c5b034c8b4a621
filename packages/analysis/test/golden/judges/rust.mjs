import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import path from "node:path";

const PROGRAM = "rust-code-analysis-cli";

/** rust-code-analysis, as `cargo install --locked rust-code-analysis-cli` has put it on the path. */
export const judges = [
  {
    name: "rust-code-analysis",
    languages: ["rust"],
    version: () => /\d+\.\d+\.\d+/.exec(spawnSync(PROGRAM, ["--version"], { encoding: "utf8" }).stdout ?? "")?.[0],
    measure: (folder) =>
      readdirSync(folder).flatMap((file) => {
        const { stdout } = spawnSync(PROGRAM, ["-m", "-O", "json", "-p", path.join(folder, file)], {
          encoding: "utf8",
        });
        return spacesIn(JSON.parse(stdout)).map((space) => read(space, file));
      }),
  },
];

function spacesIn(space) {
  const own = space.kind === "function" ? [space] : [];
  return [...own, ...space.spaces.flatMap(spacesIn)];
}

/** Its sums hold what lies inside; a closure there adds one that it would have on its own, and a function all that it has. */
function read(space, file) {
  const cognitive = space.metrics.cognitive.sum;
  return { file, name: space.name, line: space.start_line, cyclomatic: ownDecisions(space), cognitive };
}

function ownDecisions({ metrics, spaces }) {
  const inside = spaces.map((inner) => (isClosure(inner) ? sumOf(inner) - ownDecisions(inner) + 1 : sumOf(inner)));
  return inside.reduce((left, each) => left - each, metrics.cyclomatic.sum);
}

const isClosure = ({ name }) => name === "<anonymous>";

const sumOf = ({ metrics }) => metrics.cyclomatic.sum;
