import os from "node:os";
import path from "node:path";

type Environment = Readonly<Record<string, string | undefined>>;

/** What git needs of the server's own environment: where programs, the user's settings and room for temporary files are. */
const KEPT =
  /^(?:PATH|HOME|USERPROFILE|HOMEDRIVE|HOMEPATH|XDG_CONFIG_HOME|GNUPGHOME|TMPDIR|TMP|TEMP|SYSTEMROOT|WINDIR|APPDATA|LOCALAPPDATA|PROGRAMDATA|PROGRAMFILES|USER|LOGNAME|USERNAME)$/i;

/** Makes git ask nobody, start nothing that people look at, take no lock that it can do without, and fetch nothing. */
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
  // Whoever reads a long log reads it by the piece, not by the commit.
  GIT_FLUSH: "0",
  GIT_PROTOCOL_FROM_USER: "0",
  GIT_NO_LAZY_FETCH: "1",
};

/** Keeps git from running anything that lies in the repository or in its configuration, and from being configured in what it writes. */
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
export interface GitScope {
  /** Settings that go over those of the repository. */
  readonly overrides?: readonly (readonly [key: string, value: string])[] | undefined;
  /** Where git was found to keep the repository; it looks nowhere else. */
  readonly gitDir?: string | undefined;
  readonly workTree?: string | undefined;
  readonly isHooked?: boolean | undefined;
}

/**
 * The environment in which git runs. Settings go into it, not into arguments: an argument could not name a filter with an equals
 * sign in it.
 */
export function gitEnvironment(
  from: Environment,
  { overrides = [], gitDir, workTree, isHooked }: GitScope,
): Environment {
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
