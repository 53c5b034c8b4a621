import { currentFolder } from "@toolwright/kit/files";
import { type Config, NO_CONFIG } from "../config/config.js";
import { isUnconfigured } from "../config/places.js";

/** A configuration, and how to read it again. */
interface ReadConfig {
  readonly config: Config;
  readonly reread: () => Promise<Config>;
}

/** Reads the configuration of `serve`. Throws `ConfigError` with all that is wrong. */
export async function readConfig(words: readonly string[]): Promise<ReadConfig> {
  const surroundings = { env: { ...process.env }, folder: currentFolder() };
  const reread = async (): Promise<Config> => (await import("./serve-config.js")).loadServeConfig(words, surroundings);
  const isSilent = words.length === 0 && isUnconfigured(surroundings.env);
  // Most clients start it so, and wait for it: what reads and checks a configuration stays on the disk.
  return { config: isSilent ? NO_CONFIG : await reread(), reread };
}
