import type { ServerOptions } from "@toolwright/engine";
import type { TaskStore } from "@toolwright/engine/tasks";
import { type Config, groupOf, valueOf } from "../config/config.js";

type EngineOptions = Pick<
  ServerOptions,
  | "name"
  | "version"
  | "title"
  | "description"
  | "websiteUrl"
  | "instructions"
  | "protocol"
  | "toolOptions"
  | "tasks"
  | "largeResults"
  | "recorder"
  | "compat"
>;

/** The settings of the group `tools` that the engine has as they are; the others select tools. */
const TOOL_OPTIONS = ["vendorSchemas", "onInvalidTool", "correctArguments", "unknownArguments", "overrides"] as const;

/**
 * The options of the engine that a configuration sets: identity, protocol, presentation of tools and compatibility. `version` is that of
 * this program, `store` keeps tasks.
 */
export function readServerOptions(config: Config, version: string, store?: TaskStore): EngineOptions {
  const { name, ...identity } = groupOf(config, "server") as Partial<ServerOptions>;
  const tools = groupOf(config, "tools");
  const tasks = valueOf(config, "tasks") ?? true;
  return {
    ...(name === undefined ? { name: "toolwright", title: "Toolwright" } : { name }),
    version,
    ...identity,
    protocol: groupOf(config, "protocol"),
    toolOptions: {
      onInvalidTool: "skip",
      ...Object.fromEntries(TOOL_OPTIONS.flatMap((key) => (tools[key] === undefined ? [] : [[key, tools[key]]]))),
    },
    tasks: tasks !== false && { ...(typeof tasks === "object" && tasks), ...(store && { store }) },
    largeResults: valueOf(config, "largeResults") ?? true,
    recorder: valueOf(config, "recorder") ?? true,
    compat: groupOf(config, "compat"),
  };
}
