import { text as readAll } from "node:stream/consumers";
import type { JsonObject } from "@toolwright/engine";
import type { Client, ListedTool, TaskState } from "@toolwright/engine/client";
import { type CommandContext, Failure, parseJsonOption, print, resultText } from "@toolwright/kit/cli";
import { createPaint, ProgressBar, Report, say, wantsColour } from "@toolwright/kit/terminal";
import { askMissing, findTool, readArguments, readPairs } from "./arguments.js";
import { clientOptionsFor, withClient } from "./client-session.js";
import { connectionTo } from "./find-server.js";
import { showLists } from "./lists.js";
import { readServerChoice } from "./server-choice.js";
import type { ServerInput } from "./server-options.js";
import { toolHelp } from "./tool-help.js";

interface CallInput extends ServerInput {
  readonly server: string | undefined;
  readonly tool: string | undefined;
  readonly arguments: readonly string[];
  readonly input: string | undefined;
  readonly json: boolean;
}

/** Calls one tool of a server and prints its result. Throws `Failure` if the tool fails or cannot be called. */
export const runCall = (input: CallInput, ctx: CommandContext): Promise<void> => start(input, ctx, false);

/** Prints the arguments of one tool of a server, with an example. Returns false if no tool is named. */
export async function describeCall(input: CallInput, ctx: CommandContext): Promise<boolean> {
  const words = [input.server, input.tool, ...input.arguments].filter((word) => word !== undefined);
  if (readServerChoice(words, input, process.env).rest.length === 0) return false;
  await start(input, ctx, true);
  return true;
}

async function start(input: CallInput, ctx: CommandContext, wantsHelp: boolean): Promise<void> {
  const words = [input.server, input.tool, ...input.arguments].filter((word) => word !== undefined);
  const { way, rest } = readServerChoice(words, input, process.env);
  const [name, ...assignments] = rest;
  const pairs = readPairs(assignments);
  const given =
    input.input === undefined
      ? {}
      : parseJsonOption("--input", input.input === "-" ? await readAll(process.stdin) : input.input);
  const report = new Report(process.stderr, input.quiet);
  const isInteractive = process.stdin.isTTY && input.input !== "-";
  const note = (text: string): void => report.line(text);
  const connection = await connectionTo(way, report);
  await withClient(connection, report, clientOptionsFor(ctx, report, isInteractive), async (client, signal) => {
    const tools = await client.listTools({ signal });
    if (name === undefined) return say(showLists({ tools }, ctx.screen));
    const tool = findTool(tools, name, note);
    if (wantsHelp) return say(toolHelp(tool, { command: "call", way, ...ctx.screen }));
    const args = { ...given, ...readArguments(tool, pairs, note) };
    // JSON is validated by the server.
    const all = input.input === undefined ? await askMissing(tool, args, { report, signal, isInteractive }) : args;
    await callTool(client, tool, all, { input, report, signal });
  });
}

interface CallOptions {
  readonly input: CallInput;
  readonly report: Report;
  readonly signal: AbortSignal;
}

async function callTool(client: Client, { name }: ListedTool, args: JsonObject, options: CallOptions): Promise<void> {
  const { input, report, signal } = options;
  const { handshake, capabilities } = client.server;
  if (!input.quiet && (!handshake || "logging" in capabilities)) await client.setLogLevel("info", { signal });
  const isTerminal = process.stderr.isTTY && process.env["TERM"] !== "dumb";
  const bar = new ProgressBar(report, {
    isTerminal,
    paint: createPaint(wantsColour(process.stderr, process.env)),
    logAfterMs: 0,
  });
  try {
    const result = await client.callTool(name, args, {
      signal,
      onProgress: ({ progress, total, message }) =>
        bar.update({ stage: "Progress", done: progress, ...(total !== undefined && { total }) }, message || undefined),
      onTask: (task) => report.state(taskText(task)),
    });
    bar.end();
    await print(resultText(result, input.json));
    if (result.isError) throw new Failure(`The tool "${name}" failed`);
  } finally {
    bar.end();
  }
}

function taskText({ status, statusMessage = "" }: TaskState): string {
  return `Task ${status}${statusMessage && `: ${statusMessage}`}`;
}
