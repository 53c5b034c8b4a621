import { type Call, ToolError } from "@toolwright/engine";
import { findProgram } from "../processes/find-program.js";
import { startProgram } from "../processes/start-program.js";
import { type GitScope, gitEnvironment } from "./environment.js";
import { gitTimeout, toGitError } from "./errors.js";

/** How long one git may run. */
export const GIT_TIMEOUT_MS = 120_000;

/** The oldest git that takes its settings from the environment; an older one would not hear of what is switched off. */
const OLDEST = [2, 31] as const;

/** How much is kept of what git complains about. */
const COMPLAINT_BYTES = 16 * 1024;

/** How git is to be run. */
export interface GitStartOptions extends GitScope {
  readonly cwd: string;
  /** Folders in which git itself is not looked for. */
  readonly avoid: readonly string[];
  /** What is being done, for faults: `Cannot <deed>: …`. */
  readonly deed: string;
  /** What git reads from its input. */
  readonly input?: string | undefined;
  /** Ends that are no fault; 0 by default. */
  readonly exits?: readonly number[] | undefined;
  /** Takes each piece of output; false = no more is wanted, and git is ended. */
  readonly take: (piece: Buffer) => boolean;
}

/** Runs git until it ends or nobody wants more of it. Gives its exit code; 0 where it was ended. */
export async function startGit(
  call: Pick<Call, "signal">,
  args: readonly string[],
  { cwd, avoid, deed, input, exits = [0], take, ...scope }: GitStartOptions,
): Promise<number> {
  const program = await findGit(call, cwd, avoid);
  const enough = new AbortController();
  let complaint = "";
  let fault: unknown;
  const { ended } = startProgram(AbortSignal.any([call.signal, enough.signal]), program, [...FLAGS, ...args], {
    cwd,
    env: gitEnvironment(process.env, scope),
    timeoutMs: GIT_TIMEOUT_MS,
    ...(input !== undefined && { input }),
    take(piece, from) {
      if (from === "stderr") complaint = (complaint + piece.toString("utf8")).slice(0, COMPLAINT_BYTES);
      else if (!enough.signal.aborted && !tryTo(() => take(piece))) enough.abort();
    },
  });
  function tryTo(deedOfTake: () => boolean): boolean {
    try {
      return deedOfTake();
    } catch (error) {
      fault = error;
      return false;
    }
  }
  const { exitCode, hasTimedOut } = await ended;
  call.signal.throwIfAborted();
  if (fault !== undefined) throw fault;
  if (enough.signal.aborted) return 0;
  if (hasTimedOut) throw gitTimeout(deed, GIT_TIMEOUT_MS);
  if (exitCode === null || !exits.includes(exitCode)) throw toGitError(deed, complaint);
  return exitCode;
}

const FLAGS = ["--no-pager", "--no-optional-locks", "--literal-pathspecs"] as const;

const checked = new Map<string, Promise<void>>();

async function findGit(call: Pick<Call, "signal">, cwd: string, avoid: readonly string[]): Promise<string> {
  const program = await findProgram("git", avoid);
  if (program === undefined)
    throw new ToolError("Cannot run git: it is not installed, or not on the PATH of this server.", {
      code: "UNAVAILABLE",
      details: { program: "git" },
    });
  const check = checked.get(program) ?? checkVersion(program, cwd);
  checked.set(program, check);
  // Another git may be there when somebody asks again.
  check.catch(() => checked.delete(program));
  await check;
  call.signal.throwIfAborted();
  return program;
}

/** Several calls may wait for it, so none of them can cancel it. */
async function checkVersion(program: string, cwd: string): Promise<void> {
  let said = "";
  const { ended } = startProgram(new AbortController().signal, program, ["version"], {
    cwd,
    env: gitEnvironment(process.env, {}),
    timeoutMs: GIT_TIMEOUT_MS,
    take: (piece) => {
      said = (said + piece.toString("latin1")).slice(0, 200);
    },
  });
  await ended;
  const [, major = "0", minor = "0"] = /(\d+)\.(\d+)/.exec(said) ?? [];
  const isNewEnough = Number(major) > OLDEST[0] || (Number(major) === OLDEST[0] && Number(minor) >= OLDEST[1]);
  if (!isNewEnough)
    throw new ToolError(
      `Cannot run git: ${OLDEST.join(".")} or newer is needed, and this is ${said.trim() || "none"}.`,
      {
        code: "UNAVAILABLE",
        details: { program: "git", expected: OLDEST.join("."), got: said.trim() },
      },
    );
}
