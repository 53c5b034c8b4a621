// The entry point `toolwright/pack`, for authors of packs.

export {
  type Call,
  type Content,
  type ContentBlock,
  content,
  type Json,
  type JsonObject,
  type Prompt,
  prompt,
  type Resource,
  type ResourceTemplate,
  resource,
  resourceLink,
  resourceTemplate,
  type SchemaSource,
  type Tool,
  ToolError,
  text,
  tool,
} from "@toolwright/engine";
export {
  type ArgumentSpec,
  type Command,
  type CommandContext,
  CURSOR_OPTION,
  defineCommand,
  JSON_OPTION,
  LIMIT_OPTION,
  type OptionSpec,
  QUIET_OPTION,
  YES_OPTION,
} from "@toolwright/kit/cli/command.js";
export { Failure, UsageError } from "@toolwright/kit/cli/errors.js";
export { print } from "@toolwright/kit/cli/result-text.js";
export type { FileAccess, FilePolicy } from "@toolwright/kit/files";
export { type Html, html } from "@toolwright/kit/html";
export {
  type CommandHost,
  CREATE,
  DELETE,
  definePack,
  OVERWRITE,
  type PackContents,
  type PackDefinition,
  type PackHost,
  type PackOptions,
  READ,
  REPLACE,
  RUN,
  UPDATE,
} from "@toolwright/kit/pack";
export type { ActionRequest, ChangeFeed, Page, PageAction, PageContent, PageRequest } from "@toolwright/kit/pages";
export { byteSize, count, exactTime, facts, live, moment, table } from "@toolwright/kit/pages/elements.js";
