import { type CommandContext, UsageError } from "@toolwright/kit/cli";
import { isObject } from "@toolwright/kit/json";
import { drawTable, remark, type Screen, say, sayJson } from "@toolwright/kit/terminal";
import { type Operation, readBoundTools, type StoredTool } from "../bound-tools/bound-tools.js";
import { type BoundState, registerTool, switchTool } from "../bound-tools/register-tool.js";
import { type CommonInput, withKnowledge } from "./open-knowledge.js";

/** `toolwright kb tool list` */
export const runList = (input: CommonInput, ctx: CommandContext): Promise<void> =>
  withKnowledge(ctx, input, async (context) => {
    const all = await (await context.store()).read(readBoundTools);
    if (input.json) return sayJson({ tools: all.map(({ bound, isActive }) => ({ ...bound, active: isActive })) });
    if (input.quiet) return all.length === 0 ? undefined : say(all.map(({ bound }) => bound.name).join("\n"));
    if (all.length === 0) return remark("No tools. To add one, run: toolwright kb tool register NAME -c COLLECTION");
    await say(showTools(all, ctx.screen));
  });

const showTools = (all: readonly StoredTool[], { paint, width }: Screen): string =>
  drawTable<StoredTool>(
    [
      { name: "tool", text: ({ bound }) => bound.name, paint: (shown) => paint.bold(shown) },
      {
        name: "state",
        text: ({ isActive }) => (isActive ? "active" : "inactive"),
        paint: (shown, { isActive }) => (isActive ? paint.green(shown) : paint.faint(shown)),
      },
      { name: "operation", text: ({ bound }) => bound.operation },
      { name: "collection", text: ({ bound }) => bound.collection },
      { name: "version", text: ({ bound }) => String(bound.version ?? "active") },
      { name: "description", text: ({ bound }) => bound.description, gives: "words" },
    ],
    all,
    { width, head: paint.faint },
  );

interface RegisterInput extends CommonInput {
  readonly name: string;
  readonly collection: string | undefined;
  readonly version: number | undefined;
  readonly operation: Operation | undefined;
  readonly description: string | undefined;
  readonly defaults: string | undefined;
}

/** `toolwright kb tool register` */
export const runRegister = (input: RegisterInput, ctx: CommandContext): Promise<void> =>
  withKnowledge(ctx, input, async (context) => {
    const { name, collection, defaults } = input;
    if (collection === undefined) throw new UsageError("kb tool register needs --collection");
    if (name.startsWith("kb_")) throw new UsageError(`Names that start with "kb_" are reserved: "${name}"`);
    // Each server checks for itself which other names are taken.
    const options = { ...input, collection, defaults: parseDefaults(defaults) };
    await showState(await registerTool(context, { tools: [] }, options), input, ctx);
  });

function parseDefaults(text: string | undefined): Readonly<Record<string, unknown>> | undefined {
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value;
  } catch {
    // Rejected below.
  }
  throw new UsageError('--defaults must be a JSON object of arguments, such as {"top_k":5}');
}

/** `toolwright kb tool activate`, `deactivate` and `remove` */
export const runSwitch = (
  action: "activate" | "deactivate" | "forget",
  input: CommonInput & { readonly name: string },
  ctx: CommandContext,
): Promise<void> =>
  withKnowledge(ctx, input, async (context) => showState(await switchTool(context, input.name, action), input, ctx));

const STATES = {
  active: "is active in every server that uses this knowledge base",
  inactive: "is no longer listed",
  forgotten: "is deleted",
} as const;

async function showState(state: BoundState, input: CommonInput, { screen: { paint } }: CommandContext): Promise<void> {
  if (input.json) return sayJson(state);
  if (!input.quiet) await say(`${paint.green("✓")} ${paint.bold(state.name)} ${STATES[state.status]}`);
}
