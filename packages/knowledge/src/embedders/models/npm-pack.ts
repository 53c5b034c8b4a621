import { access } from "node:fs/promises";
import path from "node:path";
import { findProgram, startProgram } from "@toolwright/kit/processes";
import { unavailable } from "../faults.js";

/** How long npm may take for one package. */
const TIMEOUT_MS = 10 * 60 * 1000;
/** How much of what npm says is kept: the end of it has the reason. */
const MOST_SAID = 4000;

/** Fetches the tarball of a package into a folder, with the user's own settings of npm; gives its place. None of its scripts is run. */
export async function npmPack(wanted: string, folder: string, signal: AbortSignal): Promise<string> {
  const { program, args } = await findNpm();
  let said = "";
  let printed = "";
  const quiet = ["--loglevel=error", "--json=false", "--update-notifier=false"];
  const pack = ["pack", wanted, "--ignore-scripts", ...quiet, `--pack-destination=${folder}`];
  const { ended } = startProgram(signal, program, [...args, ...pack], {
    // Not where the server was started: a project's settings could name another registry.
    cwd: folder,
    env: process.env,
    timeoutMs: TIMEOUT_MS,
    take(piece, from) {
      if (from === "stdout") printed = (printed + piece.toString("utf8")).slice(-MOST_SAID);
      else said = (said + piece.toString("utf8")).slice(-MOST_SAID);
    },
  });
  const { exitCode, hasTimedOut } = await ended;
  signal.throwIfAborted();
  const file = printed.trim().split("\n").at(-1) ?? "";
  if (exitCode === 0 && file.endsWith(".tgz")) return path.join(folder, path.basename(file));
  const reason = hasTimedOut ? "npm took longer than ten minutes" : said.trim() || `npm ended with ${exitCode}`;
  throw unavailable(`Cannot fetch ${wanted}: ${reason}`);
}

/** On Windows npm is a script of a shell, which is never used: Node runs what is behind it. */
async function findNpm(): Promise<{ readonly program: string; readonly args: readonly string[] }> {
  const beside = path.join(path.dirname(process.execPath), "node_modules", "npm", "bin", "npm-cli.js");
  if (process.platform === "win32") {
    await access(beside).catch((error: unknown) => {
      throw unavailable(`Cannot fetch the model: npm is not beside ${process.execPath}`, error);
    });
    return { program: process.execPath, args: [beside] };
  }
  const program = await findProgram("npm");
  if (program === undefined)
    throw unavailable(
      "Cannot fetch the model: npm is not on the PATH. Install npm, or copy the folder from a machine that has it.",
    );
  return { program, args: [] };
}
