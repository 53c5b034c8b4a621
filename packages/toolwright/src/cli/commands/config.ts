import type { ParsedCommandLine } from "@toolwright/kit/cli";
import { defineCommand, Failure, JSON_OPTION, print } from "@toolwright/kit/cli";
import { SETTING_OPTIONS } from "../setting-options.js";

/** The options of `serve`, whose help describes them. */
const SERVE_OPTIONS = Object.fromEntries(
  Object.entries(SETTING_OPTIONS).map(([key, spec]) => [key, { ...spec, hidden: "help" as const }]),
);

/** `toolwright config`. */
export const config = defineCommand({
  name: "config",
  summary: "Check or show the configuration: file, environment and options",
  group: "serving",
  subcommands: [
    defineCommand({
      name: "check",
      summary: "Check the configuration, and print where it comes from",
      description: "Takes all options of serve, and reads them as serve would.",
      args: {
        file: { description: "A configuration file, instead of the one in the current folder.", complete: "file" },
      },
      options: SERVE_OPTIONS,
      exitCodes: { 1: "The configuration is invalid." },
      examples: ["toolwright config check", "toolwright config check deploy/toolwright.config.jsonc"],
      run: (input) => check(input.file, input),
    }),
    defineCommand({
      name: "show",
      aliases: ["list"],
      summary: "Print every setting, its value, and where that comes from",
      description: "Takes all options of serve, and reads them as serve would. Secrets are not shown.",
      options: { ...SERVE_OPTIONS, json: JSON_OPTION },
      examples: ["toolwright config show --http 8080", `toolwright config show --json | jq '.settings["http.listen"]'`],
      run: (input) => show(input["json"], input),
    }),
    defineCommand({
      name: "schema",
      summary: "Print the JSON Schema of the configuration file",
      examples: ["toolwright config schema > toolwright.schema.json"],
      run: printSchema,
    }),
  ],
});

async function check(file: string | undefined, input: ParsedCommandLine["input"]): Promise<void> {
  const [{ FILE_FLAGS, loadConfig }, { originsOf }, { describeCheck, describeFaults }] = await Promise.all([
    import("../../config/load.js"),
    import("../serve-config.js"),
    import("../config-report.js"),
  ]);
  const origins = originsOf(input);
  const flags = file === undefined ? origins.flags : { ...origins.flags, [FILE_FLAGS.file]: [file] };
  const [{ checkToolNames }, { checkPacks }, { readWebOptions }] = await Promise.all([
    import("../tool-lists/check-names.js"),
    import("../pack-settings.js"),
    import("../web-options.js"),
  ]);
  try {
    const loaded = await loadConfig({ ...origins, flags });
    await checkToolNames(loaded);
    await checkPacks(loaded);
    // The files that it names are part of what a start needs.
    await readWebOptions(loaded);
    await print(describeCheck(loaded));
  } catch (error) {
    const faults = (error as { readonly faults?: readonly string[] }).faults ?? [(error as Error).message];
    throw new Failure(describeFaults(faults), 1, error);
  }
}

async function show(asJson: boolean, input: ParsedCommandLine["input"]): Promise<void> {
  const [{ loadConfig }, { originsOf }, { showConfig, writeConfig }] = await Promise.all([
    import("../../config/load.js"),
    import("../serve-config.js"),
    import("../config-report.js"),
  ]);
  const loaded = await loadConfig(originsOf(input));
  await print(asJson ? JSON.stringify(writeConfig(loaded), null, 2) : showConfig(loaded));
}

async function printSchema(): Promise<void> {
  const [{ createJsonSchema }, { createTable }, { packSchemas }, { PACK_NAMES }] = await Promise.all([
    import("../../config/settings.js"),
    import("../../config/settings.js"),
    import("../pack-settings.js"),
    import("../../packs.js"),
  ]);
  await print(JSON.stringify(createJsonSchema(createTable(PACK_NAMES), await packSchemas()), null, 2));
}
