import path from "node:path";
import process from "node:process";
import { type Call, ToolError } from "@toolwright/engine";
import { cleanEnvironment, findProgram, startProgram } from "@toolwright/kit/processes";

/** How each program is asked for its version, the first that is there. */
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

/** What finds programs and the toolchains behind them; nothing else of the environment is passed on. */
const PASSED_ON =
  /^(?:PATH|PATHEXT|SYSTEMROOT|WINDIR|HOME|USERPROFILE|APPDATA|LOCALAPPDATA|TMPDIR|TEMP|TMP|LANG|LC_ALL|JAVA_HOME|RUSTUP_HOME|CARGO_HOME|GOROOT|DOTNET_ROOT|PYENV_ROOT|VOLTA_HOME|ASDF_DATA_DIR|NVM_DIR)$/i;

/** Keeps programs that are only asked for their version from fetching another one of themselves, or greeting. */
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
 * The versions of the programs that builds use, as they say it themselves; null = not installed, or it does not say. Programs that
 * lie in one of the `roots` are not asked, and none runs there: settings that a project has for them must not count.
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
    // One that cannot be started is as good as none.
    if (!(error instanceof ToolError)) throw error;
  }
  signal.throwIfAborted();
  return /\d+(?:\.\d+)+[\w.+-]*/.exec(said)?.[0] ?? null;
}
