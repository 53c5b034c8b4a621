import { type PackHost as EnginePackHost, type JsonObject, type Pack, pack } from "@toolwright/engine";
import type { PackContents, PackDefinition, PackHost } from "./define-pack.js";

/** What a server adds to the methods of the engine. */
export type PackEnvironment = Pick<PackHost, "stateFolder" | "files"> &
  Partial<Pick<PackHost, "now" | "toolIsOn" | "configurationFile">>;

/**
 * Creates the pack of the engine from a definition: a function that takes settings. Tests use it too.
 *
 * @example
 * createServer({ name: "test", version: "1.0.0", packs: [bindPack(notes, { stateFolder, files })({ folder: "." })] });
 */
export const bindPack = (definition: PackDefinition, environment: PackEnvironment): ((settings?: JsonObject) => Pack) =>
  pack({
    name: definition.name,
    settings: definition.settings,
    prevalidated: definition.prevalidated ?? false,
    open: (settings, host): PackContents | Promise<PackContents> =>
      definition.open(settings as never, createHost(host, environment)),
  });

/** Validates settings and fills in defaults. Throws an error that names each setting that is wrong. */
export async function parseSettings(definition: PackDefinition, given: JsonObject): Promise<JsonObject> {
  let parsed: JsonObject = {};
  const open = (settings: unknown): PackContents => {
    parsed = settings as JsonObject;
    return { tools: [] };
  };
  const { name, settings, prevalidated = false } = definition;
  await pack({ name, settings, prevalidated, open })(given).open({} as EnginePackHost);
  return parsed;
}

/** The host of the engine, with the environment. Getters and methods keep their receiver, which has private fields. */
function createHost(
  host: EnginePackHost,
  { stateFolder, files, now = () => new Date(), toolIsOn, configurationFile }: PackEnvironment,
): PackHost {
  return {
    get name() {
      return host.name;
    },
    get version() {
      return host.version;
    },
    get metrics() {
      return host.metrics;
    },
    get redaction() {
      return host.redaction;
    },
    get tools() {
      return host.tools;
    },
    notifyResourceUpdated: host.notifyResourceUpdated.bind(host),
    notifyResourceListChanged: () => host.notifyResourceListChanged(),
    addTool: (tool) => host.addTool(tool),
    removeTool: (name) => host.removeTool(name),
    addPrompt: (prompt) => host.addPrompt(prompt),
    removePrompt: (name) => host.removePrompt(name),
    addResource: (resource) => host.addResource(resource),
    removeResource: (uri) => host.removeResource(uri),
    completeElicitation: (id) => host.completeElicitation(id),
    log: (entry) => host.log(entry),
    stateFolder,
    files,
    now,
    toolIsOn: toolIsOn ?? ((name) => host.tools.some((tool) => tool.name === name)),
    configurationFile,
  };
}
