import os from "node:os";
import path from "node:path";
import { type Call, ToolError } from "@toolwright/engine";
import type { ErrorHint } from "@toolwright/engine/types";
import { findProgram, startProgram } from "../processes/start-program.js";

/** The time limit of one git process. */
export const GIT_TIMEOUT_MS = 120_000;

/** The oldest git that takes its settings from the environment; an older one would ignore the disabled features. */
const OLDEST = [2, 31] as const;

/** How much is kept of what git complains about. */
const COMPLAINT_BYTES = 16 * 1024;

/** How git is to be run. */
export interface GitStartOptions extends GitScope {
  readonly cwd: string;
  /** Folders in which the program git is not searched. */
  readonly avoid: readonly string[];
  /** The operation in error messages: `Cannot <operation>: …`. */
  readonly operation: string;
  /** What git reads from its input. */
  readonly input?: string | undefined;
  /** Ends that are no fault; 0 by default. */
  readonly exits?: readonly number[] | undefined;
  /** Receives each piece of output; false = no more is needed, and git is ended. */
  readonly take: (piece: Buffer) => boolean;
}

/** Runs git until it exits or `take` needs no more. Returns its exit code; 0 if it was ended. */
export async function startGit(
  call: Pick<Call, "signal">,
  args: readonly string[],
  { cwd, avoid, operation, input, exits = [0], take, ...scope }: GitStartOptions,
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
  function tryTo(takeOnce: () => boolean): boolean {
    try {
      return takeOnce();
    } catch (error) {
      fault = error;
      return false;
    }
  }
  const { exitCode, hasTimedOut } = await ended;
  call.signal.throwIfAborted();
  if (fault !== undefined) throw fault;
  if (enough.signal.aborted) return 0;
  if (hasTimedOut) throw gitTimeout(operation, GIT_TIMEOUT_MS);
  if (exitCode === null || !exits.includes(exitCode)) throw toGitError(operation, complaint);
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
  // Another git may be installed by the next call.
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

type Environment = Readonly<Record<string, string | undefined>>;

/** The variables that git needs: where programs, the user's settings and temporary files are. */
const KEPT =
  /^(?:PATH|HOME|USERPROFILE|HOMEDRIVE|HOMEPATH|XDG_CONFIG_HOME|GNUPGHOME|TMPDIR|TMP|TEMP|SYSTEMROOT|WINDIR|APPDATA|LOCALAPPDATA|PROGRAMDATA|PROGRAMFILES|USER|LOGNAME|USERNAME)$/i;

/** Git asks no questions, starts no editor or pager, takes no optional lock, and fetches nothing. */
const FIXED: Environment = {
  LC_ALL: "C",
  TERM: "dumb",
  PAGER: "cat",
  GIT_PAGER: "cat",
  GIT_EDITOR: ":",
  GIT_SEQUENCE_EDITOR: ":",
  GIT_ASKPASS: "",
  SSH_ASKPASS: "",
  GIT_TERMINAL_PROMPT: "0",
  GIT_OPTIONAL_LOCKS: "0",
  GIT_LITERAL_PATHSPECS: "1",
  GIT_ALLOW_PROTOCOL: "",
  // A long log is written in large pieces, not by commit.
  GIT_FLUSH: "0",
  GIT_PROTOCOL_FROM_USER: "0",
  GIT_NO_LAZY_FETCH: "1",
};

/** Prevents git from running programs of the repository or its configuration, and fixes the format of its output. */
const SETTINGS: readonly (readonly [key: string, value: string])[] = [
  ["core.fsmonitor", ""],
  ["protocol.allow", "never"],
  ["credential.helper", ""],
  ["submodule.recurse", "false"],
  ["status.submodulesummary", "false"],
  ["diff.submodule", "short"],
  ["diff.ignoresubmodules", "dirty"],
  ["diff.relative", "false"],
  ["diff.autorefreshindex", "true"],
  ["diff.suppressblankempty", "false"],
  ["log.showsignature", "false"],
  ["log.mailmap", "false"],
  ["gc.auto", "0"],
  ["maintenance.auto", "false"],
  ["color.ui", "false"],
  ["i18n.commitencoding", "UTF-8"],
  ["i18n.logoutputencoding", "UTF-8"],
  ["user.useconfigonly", "true"],
];

const NO_HOOKS = ["core.hookspath", os.devNull] as const;

/** How an environment for git differs from the usual one. */
interface GitScope {
  /** Settings that override those of the repository. */
  readonly overrides?: readonly (readonly [key: string, value: string])[] | undefined;
  /** The git folder of the repository; git searches no other. */
  readonly gitDir?: string | undefined;
  readonly workTree?: string | undefined;
  readonly isHooked?: boolean | undefined;
}

/**
 * The environment in which git runs. Settings go into it, not into arguments: an argument could not name a filter with an equals
 * sign in it.
 */
function gitEnvironment(from: Environment, { overrides = [], gitDir, workTree, isHooked }: GitScope): Environment {
  const kept = Object.entries(from).filter(([name]) => KEPT.test(name));
  const settings = [...overrides, ...SETTINGS, ...(isHooked === true ? [] : [NO_HOOKS])];
  return {
    ...Object.fromEntries(kept.map(([name, value]) => [name, name.toUpperCase() === "PATH" ? safePath(value) : value])),
    ...FIXED,
    ...(gitDir !== undefined && { GIT_DIR: gitDir }),
    ...(workTree !== undefined && { GIT_WORK_TREE: workTree }),
    GIT_CONFIG_COUNT: String(settings.length),
    ...Object.fromEntries(
      settings.flatMap(([key, value], at) => [
        [`GIT_CONFIG_KEY_${at}`, key],
        [`GIT_CONFIG_VALUE_${at}`, value],
      ]),
    ),
  };
}

/** Folders on the PATH that a project brings along are left out, and those that depend on where git runs. */
const safePath = (value = ""): string =>
  value
    .split(path.delimiter)
    .filter((folder) => path.isAbsolute(folder) && !folder.split(/[\\/]/).includes("node_modules"))
    .join(path.delimiter);

/** How much of git's own words is repeated. */
const MOST_WORDS = 600;

/** What git says, and what that means for whoever asked. */
const MEANINGS: readonly (readonly [pattern: RegExp, code: string, words: string])[] = [
  [
    /dubious ownership/,
    "GIT_FAILED",
    "the folder belongs to another user, so git does not trust it. If you do, run by hand: git config --global --add safe.directory <the folder>",
  ],
  [
    /not a git repository/i,
    "NOT_FOUND",
    "it is not in a git repository. Give a folder that is, or make one with git init and commit",
  ],
  [
    /\.lock': File exists|Another git process seems to be running/,
    "CONFLICT",
    "another git process holds a lock. Try again; if none is running, a crashed one has left the .lock file behind, which can be removed",
  ],
  [/No space left on device/, "UNAVAILABLE", "the disk is full"],
  [/Permission denied|unable to create/i, "FORBIDDEN_PATH", "the user of this server may not write there"],
  [
    /user\.useConfigOnly|Please tell me who you are|no (?:name|email) was given|empty ident name/i,
    "GIT_FAILED",
    'nobody has said who commits. Set it by hand: git config --global user.name "…" and git config --global user.email "…"',
  ],
  [
    /gpg failed to sign|failed to write commit object/,
    "GIT_FAILED",
    "the user's settings ask for a signature (commit.gpgSign), and it could not be made without asking somebody",
  ],
  [
    /promisor|lazy fetch|transport '.*' not allowed/,
    "UNAVAILABLE",
    "this is a partial clone, and what is missing is not fetched. Run git fetch by hand",
  ],
];

/** Git failed: says what its words mean where that is known, and what they were. */
export function toGitError(operation: string, stderr: string): ToolError {
  const words = plain(stderr);
  const known = MEANINGS.find(([pattern]) => pattern.test(words));
  const reason = known === undefined ? words || "it gave no reason" : known[2];
  return new ToolError(`Cannot ${operation}: ${reason.replace(/\.$/, "")}.`, {
    code: known?.[1] ?? "GIT_FAILED",
    details: { git: words },
  });
}

/** Git did not come to an end in time. */
const gitTimeout = (operation: string, afterMs: number): ToolError =>
  new ToolError(`Cannot ${operation}: git did not finish within ${afterMs / 1000} s.`, {
    code: "TIMEOUT",
    hint: { action: "ask for less: a path, fewer commits or a range of lines" },
  });

/** The error for a request that git cannot fulfil. */
export const invalidGitArgument = (
  message: string,
  details: Record<string, string> = {},
  hint?: ErrorHint,
): ToolError => new ToolError(message, { code: "INVALID_ARGUMENT", details, ...(hint && { hint }) });

/** Without hints, prefixes and control characters, and not too long. */
function plain(stderr: string): string {
  const lines = stderr
    .split("\n")
    .map((line) =>
      line
        .replaceAll(/\p{Cc}/gu, "?")
        .replace(/^(?:fatal|error|warning): /, "")
        .trim(),
    )
    .filter((line) => line !== "" && !line.startsWith("hint:"));
  const text = lines.join("; ");
  return text.length > MOST_WORDS ? `${text.slice(0, MOST_WORDS)}…` : text;
}
