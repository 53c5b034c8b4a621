import { Failure, print, UsageError } from "@toolwright/kit/cli";
import { currentFolder } from "@toolwright/kit/files";
import { ConfigError } from "../../config/config-error.js";
import { createJsonSchema } from "../../config/json-schema.js";
import { FILE_FLAGS, loadConfig, type Origins } from "../../config/load.js";
import { createTable } from "../../config/settings.js";
import { PACK_NAMES } from "../../packs.js";
import { describeCheck, describeFaults } from "../config-check.js";
import { showConfig, writeConfig } from "../config-show.js";
import { checkPacks, packSchemas } from "../pack-settings.js";
import { readOrigins } from "../serve-config.js";
import { checkToolNames } from "../tool-lists/check-names.js";
import { readWebOptions } from "../web-options.js";

/** Does what follows `config`: checks the configuration, shows it, or prints its schema. */
export async function runConfig([deed, ...words]: readonly string[]): Promise<void> {
  if (deed === "check") await check(words);
  else if (deed === "show") await show(words);
  else if (deed === "schema" && words.length === 0)
    await print(JSON.stringify(createJsonSchema(createTable(PACK_NAMES), await packSchemas()), null, 2));
  else throw new UsageError(deed === undefined ? "config needs check, show or schema" : `"config ${deed}" is unknown`);
}

async function check(words: readonly string[]): Promise<void> {
  const { origins, plain } = readConfigWords(words);
  const [file, extra] = plain;
  if (extra !== undefined) throw new UsageError(`"${extra}" is unknown`);
  const flags = file === undefined ? origins.flags : { ...origins.flags, [FILE_FLAGS.file]: [file] };
  try {
    const config = await loadConfig({ ...origins, flags });
    await checkToolNames(config);
    await checkPacks(config);
    // The files that it names are part of what a start needs.
    await readWebOptions(config);
    await print(describeCheck(config));
  } catch (error) {
    const faults = error instanceof ConfigError ? error.faults : [(error as Error).message];
    throw new Failure(describeFaults(faults), 1, error);
  }
}

async function show(words: readonly string[]): Promise<void> {
  const isJson = words.includes("--json");
  const { origins, plain } = readConfigWords(words.filter((word) => word !== "--json"));
  const [extra] = plain;
  if (extra !== undefined) throw new UsageError(`"${extra}" is unknown`);
  const config = await loadConfig(origins);
  await print(isJson ? JSON.stringify(writeConfig(config), null, 2) : showConfig(config));
}

function readConfigWords(words: readonly string[]): { readonly origins: Origins; readonly plain: readonly string[] } {
  const plain: string[] = [];
  return { origins: readOrigins(words, { env: process.env, folder: currentFolder() }, plain), plain };
}
