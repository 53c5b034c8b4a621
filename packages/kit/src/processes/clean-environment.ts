import path from "node:path";

type Environment = Readonly<Record<string, string | undefined>>;

/** Names of variables that mostly hold secrets. */
const SECRET =
  /TOKEN|SECRET|PASSW|PASSPHRASE|CREDENTIAL|PRIVATE|COOKIE|(?:^|_)AUTH(?:_|$|ORIZ)|(?:^|_)(?:KEY|PAT|PWD|DSN)S?$|APIKEY|API_KEY|ACCESS_KEY/i;

/** Variables that make programs load or run something, or work on something else than what lies before them. */
const INJECTION_STARTS =
  /^(?:LD_|DYLD_|GIT_|TOOLWRIGHT_|NODE_TEST|VITEST|JEST_|BASH_FUNC|PERL5|RUSTC|CARGO_ENCODED|CARGO_BUILD_|npm_lifecycle|npm_package|npm_config_(?!registry$|cache$|userconfig$))/i;
const INJECTIONS =
  /^(?:NODE_OPTIONS|NODE_PATH|NODE_REPL_EXTERNAL_MODULE|BASH_ENV|ENV|IFS|PROMPT_COMMAND|RUBYOPT|RUBYLIB|PYTHONSTARTUP|PYTHONINSPECT|PYTHONHOME|PYTHONBREAKPOINT|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|JDK_JAVA_OPTIONS|MAVEN_OPTS|GRADLE_OPTS|RUSTFLAGS|RUSTDOCFLAGS|MAKEFLAGS|MAKEFILES|MFLAGS|GOFLAGS|EDITOR|VISUAL|PAGER|FORCE_COLOR|OLDPWD)$/i;

/** An address with a password in it. */
const ADDRESS_WITH_PASSWORD = /:\/\/[^/\s@:]*:[^/\s@]+@/;

/** What every program is told, so that it writes plain lines and waits for nobody. */
const PLAIN: Environment = { NO_COLOR: "1", TERM: "dumb", CI: "true", PAGER: "cat", GIT_TERMINAL_PROMPT: "0" };

/**
 * The environment of a program that a model has started: that of the server without secrets, and without what makes programs run
 * something else. Proxies stay as they are, or nothing could be fetched behind one.
 */
export function cleanEnvironment(from: Environment, more: Environment = {}): Environment {
  const kept = Object.entries(from).filter(
    ([name, value]) =>
      value !== undefined &&
      ![SECRET, INJECTION_STARTS, INJECTIONS].some((pattern) => pattern.test(name)) &&
      (!ADDRESS_WITH_PASSWORD.test(value) || /_proxy$/i.test(name)),
  );
  return { ...Object.fromEntries(kept.map(absolutePath)), ...PLAIN, ...more };
}

/** A relative folder on the PATH is one of the project that a program is started in. */
function absolutePath([name, value = ""]: [string, string | undefined]): [string, string] {
  if (name.toUpperCase() !== "PATH") return [name, value];
  return [
    name,
    value
      .split(path.delimiter)
      .filter((folder) => path.isAbsolute(folder))
      .join(path.delimiter),
  ];
}
