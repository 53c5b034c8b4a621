import type { CommandContext, Completion, CompletionQuery, OptionSpec } from "@toolwright/kit/cli";

/** The folder with templates of the user. */
export const DIRECTORY_OPTION = {
  type: "string",
  placeholder: "DIR",
  description: "A folder with your own templates; default: packs.templates.directory of the configuration.",
  complete: "folder",
} as const satisfies OptionSpec;
/** Parameters in JSON. */
export const PARAMETERS_OPTION = {
  type: "string",
  placeholder: "JSON",
  description: "Parameters as a JSON object; NAME=VALUE overrides them.",
} as const satisfies OptionSpec;

/** Completes the name of a toolchain, or a kind of project. */
export const completeToolchain = async (_: CompletionQuery, ctx: CommandContext): Promise<readonly Completion[]> =>
  (await import("./open.js")).listToolchains(ctx);

/** Completes the address of a template, such as makefile/rust/cli. */
export const completeTemplate = async (_: CompletionQuery, ctx: CommandContext): Promise<readonly Completion[]> =>
  (await import("./open.js")).listAddresses(ctx);
