import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const program = fileURLToPath(new URL("measure.py", import.meta.url));

const judgeCalled = (name) => ({
  name,
  languages: ["python"],
  version: () => run(name, "--version")?.version,
  measure: (folder) => run(name, folder) ?? [],
});

/** What measures Python, all in its own language. */
export const judges = ["radon", "cognitive_complexity", "complexipy"].map(judgeCalled);

function run(...words) {
  const { status, stdout } = spawnSync("python3", [program, ...words], { encoding: "utf8" });
  return status === 0 ? JSON.parse(stdout) : undefined;
}
