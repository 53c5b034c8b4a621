import { builtin } from "../server/builtin.js";

/** How long the list of processes may take. */
const MOST_MS = 1000;

/** Every process that a process has started, and that those have started, as far as the system tells. */
export function descendantsOf(pid: number): readonly number[] {
  const childrenOf = readFromSystem(pid) ?? readFromList();
  const found = new Set([pid]);
  for (const parent of found) for (const child of childrenOf(parent)) found.add(child);
  found.delete(pid);
  return [...found];
}

type ChildrenOf = (pid: number) => readonly number[];

/** Linux tells of each thread what it has started; undefined where it does not. */
function readFromSystem(pid: number): ChildrenOf | undefined {
  const { existsSync, readdirSync, readFileSync } = builtin("node:fs");
  if (!existsSync(`/proc/${pid}/task/${pid}/children`)) return undefined;
  const read = (thread: string): number[] =>
    readFileSync(`${thread}/children`, "utf8").split(" ").filter(Boolean).map(Number);
  return (parent) => {
    const folder = `/proc/${parent}/task`;
    try {
      return readdirSync(folder).flatMap((thread) => read(`${folder}/${thread}`));
    } catch {
      // It has ended meanwhile.
      return [];
    }
  };
}

function readFromList(): ChildrenOf {
  const { spawnSync } = builtin("node:child_process");
  const { stdout } = spawnSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8", timeout: MOST_MS });
  const pairs = (stdout ?? "").split("\n").map((line) => line.trim().split(/\s+/).map(Number));
  return (pid) => pairs.flatMap(([child, parent]) => (parent === pid && child !== undefined ? [child] : []));
}
