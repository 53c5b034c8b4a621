import { ToolError } from "@toolwright/engine";
import { type CommandContext, type Completion, EXIT_CODES, Failure } from "@toolwright/kit/cli";
import type { FileAccess } from "@toolwright/kit/files";
import { openTemplates, type TemplatesContext } from "../context.js";
import { shortUri } from "../format/template.js";
import { TOOLCHAINS } from "../format/titles.js";
import type { Settings } from "../settings.js";

/** What the commands work with. */
export interface OpenTemplates {
  readonly context: TemplatesContext;
  readonly openAccess: () => Promise<FileAccess>;
}

/** Opens the templates for a command. `directory` replaces that of the configuration. */
export async function withTemplates<Result>(
  directory: string | undefined,
  ctx: CommandContext,
  work: (open: OpenTemplates) => Promise<Result>,
): Promise<Result> {
  const { settings, host } = await ctx.openPack<Settings>();
  const { context, close } = await openTemplates({ ...settings, ...(directory !== undefined && { directory }) }, host);
  // Without a listener, Ctrl-C ends the process at once; writes are atomic.
  const call = { signal: new AbortController().signal, supports: () => false, roots: async () => [] };
  try {
    return await work({ context, openAccess: () => context.accessFor(call) });
  } catch (error) {
    throw error instanceof ToolError ? toFailure(error) : error;
  } finally {
    await close();
  }
}

/** What to do about an error that is not what its hint for tools says. */
const HINTS: Readonly<Record<string, { readonly hint: string; readonly exitCode: number }>> = {
  TEMPLATE_NOT_FOUND: { hint: "To list the templates, run: toolwright template list", exitCode: EXIT_CODES.usage },
  INVALID_TEMPLATE_URI: { hint: "To list the templates, run: toolwright template list", exitCode: EXIT_CODES.usage },
  ALREADY_EXISTS: {
    hint: "Use --on-conflict skip to keep existing files, or overwrite to replace text files; --dry-run shows a diff.",
    exitCode: EXIT_CODES.failed,
  },
};

function toFailure(error: ToolError): Error {
  const known = HINTS[error.code ?? ""];
  return known === undefined ? error : new Failure(`${error.message} ${known.hint}`, known.exitCode, error);
}

/** Kinds of projects with a set of files of their own. */
export const PROJECT_KINDS: Readonly<Record<string, { readonly toolchain: string; readonly variant: string }>> = {
  server: { toolchain: "node-ts", variant: "mcp-server" },
  pack: { toolchain: "node-ts", variant: "mcp-pack" },
};

/** The toolchains and kinds of projects, for completion. */
export const listToolchains = (ctx: CommandContext): Promise<readonly Completion[]> =>
  withTemplates(undefined, ctx, async ({ context: { library } }) => {
    const names = new Set((await library.list()).map(({ toolchain }) => toolchain));
    const toolchains = [...names].filter((name) => name !== "any");
    const kinds = [
      { value: "server", description: "MCP server" },
      { value: "pack", description: "MCP pack" },
    ];
    return [...kinds, ...toolchains.map((value) => ({ value, description: TOOLCHAINS[value] ?? value }))];
  });

/** The addresses of all templates, for completion. */
export const listAddresses = (ctx: CommandContext): Promise<readonly Completion[]> =>
  withTemplates(undefined, ctx, async ({ context: { library } }) =>
    (await library.list()).map(({ uri, name }) => ({ value: shortUri(uri), description: name })),
  );
