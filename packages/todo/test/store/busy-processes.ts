import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, symlink } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const MODULES = fileURLToPath(new URL("../../../../node_modules", import.meta.url));

/** Bundles the program from the current sources. Returns its folder. */
export async function buildProgram(): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), "busy-"));
  await symlink(MODULES, path.join(folder, "node_modules"));
  await build({
    entryPoints: [fileURLToPath(new URL("./busy-program.ts", import.meta.url))],
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20.19",
    external: ["pg", "@photostructure/sqlite", "@toolwright/sqlite"],
    conditions: ["@toolwright/source"],
    logLevel: "warning",
  });
  return folder;
}

/** The result of all processes. */
export interface Work {
  /** The names that the processes reported as written. */
  readonly acknowledged: readonly string[];
  readonly operations: number;
  readonly killed: number;
}

/** The options of `workTogether`. */
export interface WorkPlan {
  readonly program: string;
  readonly database: string;
  readonly operations: number;
  readonly processes: number;
  /** The number of processes that are killed and replaced. */
  readonly kills: number;
}

/** Runs processes on one database at the same time. Some are killed, and others continue their work. */
export async function workTogether(plan: WorkPlan): Promise<Work> {
  const acknowledged: string[] = [];
  const share = Math.ceil(plan.operations / plan.processes);
  let [operations, killed] = [0, 0];

  const run = async (name: string, count: number, dieAt: number | undefined): Promise<void> => {
    let seen = 0;
    const child = start(plan, name, count);
    const ended = endOf(child);
    let rest = "";
    child.stdout?.setEncoding("utf8").on("data", (piece: string) => {
      const lines = (rest + piece).split("\n");
      rest = lines.pop() ?? "";
      seen += lines.length;
      for (const line of lines) if (line.startsWith("done ")) acknowledged.push(line.slice("done ".length));
      if (dieAt !== undefined && seen >= dieAt) child.kill("SIGKILL");
    });
    const { signal, code, said } = await ended;
    operations += seen;
    if (signal === "SIGKILL") {
      killed += 1;
      if (seen < count) await run(`${name}+`, count - seen, undefined);
    } else if (code !== 0) throw new Error(`A process ended with ${code ?? signal}: ${said}`);
  };

  const all = Array.from({ length: plan.processes }, (_, index) => {
    const dieAt = index < plan.kills ? Math.floor((share * (index + 1)) / (plan.kills + 1)) : undefined;
    return run(`p${index}`, share, dieAt);
  });
  await Promise.all(all);
  return { acknowledged, operations, killed };
}

function start({ program, database }: WorkPlan, name: string, count: number): ChildProcess {
  const file = path.join(program, "busy-program.mjs");
  return spawn(process.execPath, [file, database, name, String(count)], { stdio: ["ignore", "pipe", "pipe"] });
}

function endOf(child: ChildProcess): Promise<{ signal: string | null; code: number | null; said: string }> {
  let said = "";
  child.stderr?.on("data", (piece: Buffer) => {
    said += piece.toString();
  });
  return new Promise((resolve) => child.once("close", (code, signal) => resolve({ code, signal, said })));
}
