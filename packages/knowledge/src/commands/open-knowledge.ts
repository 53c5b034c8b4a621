import { type CommandContext, Failure, isMissing } from "@toolwright/kit/cli";
import type { IngestCall } from "../ingest/ingest-options.js";
import { KnowledgeContext } from "../knowledge-context.js";
import type { Settings } from "../settings.js";

/** The options that all subcommands have. */
export interface CommonInput {
  readonly database?: string | undefined;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

/** Opens the knowledge base for one command. A database that is named but missing is created only if `creates`. */
export async function withKnowledge(
  ctx: CommandContext,
  { database }: Pick<CommonInput, "database">,
  work: (context: KnowledgeContext) => Promise<void>,
  { creates = false } = {},
): Promise<void> {
  const { settings: configured, host } = await ctx.openPack<Settings>();
  const settings = database === undefined ? configured : { ...configured, database };
  if (!creates && settings.database !== undefined && isMissing(settings.database))
    throw new Failure(
      `There is no knowledge base ${JSON.stringify(settings.database)}. To create it, run: toolwright kb ingest`,
    );
  const context = new KnowledgeContext(settings, host);
  try {
    await work(context);
  } finally {
    await context.close();
  }
}

/** The caller of a work function: no client narrows the roots. */
export const toCall = ({ signal, onProgress }: Pick<CommandContext, "signal" | "onProgress">): IngestCall => ({
  signal,
  supports: () => false,
  roots: async () => [],
  onProgress,
});

/** Runs work that can be interrupted; then the message explains the state that it leaves. */
export async function interruptible<Result>(
  { signal }: Pick<CommandContext, "signal">,
  message: string,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!signal.aborted) throw error;
    throw new Failure(message, (signal.reason as Failure).code, error);
  }
}
