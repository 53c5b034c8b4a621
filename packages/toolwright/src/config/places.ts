import { existsSync } from "node:fs";

/** What the names of all our environment variables begin with. */
export const PREFIX = "TOOLWRIGHT_";

/** The variable that names the configuration file. */
export const FILE_VARIABLE = `${PREFIX}CONFIG`;

/** Our variables that are no settings; the second names the folder of the models that were installed. */
export const OTHER_VARIABLES: readonly string[] = [FILE_VARIABLE, `${PREFIX}MODELS`];

/** The files that are looked for where no other is named. */
export const USUAL_FILES = ["toolwright.config.json", "toolwright.config.jsonc"] as const;

/** Whether neither the environment nor a file of the current folder says anything. */
export const isUnconfigured = (env: NodeJS.ProcessEnv): boolean =>
  !Object.keys(env).some((name) => name.startsWith(PREFIX)) && !USUAL_FILES.some((file) => existsSync(file));
