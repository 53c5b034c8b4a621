import path from "node:path";
import process from "node:process";
import { type Call, ToolError } from "@toolwright/engine";
import { cleanEnvironment, findProgram, startProgram } from "@toolwright/kit/processes";

/** The commands that print the version of each program; the first installed one is used. */
const PROGRAMS: Readonly<Record<string, readonly (readonly [program: string, ...args: string[]])[]>> = {
  git: [["git", "--version"]],
  node: [["node", "--version"]],
  npm: [["npm", "--version"]],
  python: [
    ["python3", "--version"],
    ["python", "--version"],
  ],
  cargo: [["cargo", "--version"]],
  go: [["go", "version"]],
  java: [["java", "-version"]],
  mvn: [["mvn", "--version"]],
  gradle: [["gradle", "--version"]],
  dotnet: [["dotnet", "--version"]],
  make: [["make", "--version"]],
  rg: [["rg", "--version"]],
};

/** The variables that locate programs and toolchains. No others are passed on. */
const PASSED_ON =
  /^(?:PATH|PATHEXT|SYSTEMROOT|WINDIR|HOME|USERPROFILE|APPDATA|LOCALAPPDATA|TMPDIR|TEMP|TMP|LANG|LC_ALL|JAVA_HOME|RUSTUP_HOME|CARGO_HOME|GOROOT|DOTNET_ROOT|PYENV_ROOT|VOLTA_HOME|ASDF_DATA_DIR|NVM_DIR)$/i;

/** Prevents programs from downloading another version of themselves, and from printing a greeting. */
const QUIET = {
  RUSTUP_AUTO_INSTALL: "0",
  GOTOOLCHAIN: "local",
  DOTNET_NOLOGO: "1",
  DOTNET_CLI_TELEMETRY_OPTOUT: "1",
  DOTNET_SKIP_FIRST_TIME_EXPERIENCE: "1",
};

const TIMEOUT_MS = 10_000;
const MOST_CHARACTERS = 4096;

/**
 * The versions of the programs that builds use, as they print them; null: not installed, or unknown. Programs in one of the
 * `roots` are not run, and none runs there: settings of a project must not apply.
 */
export async function installedPrograms(
  { signal }: Pick<Call, "signal">,
  roots: readonly string[],
): Promise<Record<string, string | null>> {
  const known = Object.entries(process.env).filter(([name]) => PASSED_ON.test(name));
  const env = cleanEnvironment(Object.fromEntries(known), QUIET);
  const rows = await Promise.all(
    Object.entries(PROGRAMS).map(async ([name, ways]): Promise<[string, string | null]> => {
      for (const [program, ...args] of ways) {
        const place = await findProgram(program, roots);
        if (place !== undefined) return [name, await versionOf(signal, place, args, env)];
      }
      return [name, null];
    }),
  );
  return Object.fromEntries(rows);
}

async function versionOf(
  signal: AbortSignal,
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<string | null> {
  let said = "";
  const take = (piece: Buffer): void => {
    said = (said + piece.toString("utf8")).slice(0, MOST_CHARACTERS);
  };
  const cwd = path.parse(program).root;
  try {
    await startProgram(signal, program, args, { cwd, env, timeoutMs: TIMEOUT_MS, take }).ended;
  } catch (error) {
    // A program that cannot be started counts as not installed.
    if (!(error instanceof ToolError)) throw error;
  }
  signal.throwIfAborted();
  return /\d+(?:\.\d+)+[\w.+-]*/.exec(said)?.[0] ?? null;
}
