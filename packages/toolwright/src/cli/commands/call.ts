import { text as readAll } from "node:stream/consumers";
import type { JsonObject } from "@toolwright/engine";
import type { Client, ListedTool, TaskState } from "@toolwright/engine/client";
import { Failure, print, readJsonArguments, resultText } from "@toolwright/kit/cli";
import { createPaint, ProgressBar, Report, say, wantsColour } from "@toolwright/kit/terminal";
import { findTool, readArguments } from "../arguments.js";
import { type CallOptions, readCallOptions } from "../call-options.js";
import { CALL_HELP } from "../client-help.js";
import { converse } from "../conversation.js";
import { askMissing } from "../use/ask-missing.js";
import { findReach } from "../use/find-reach.js";
import { wantsOnlyHelp } from "../use/help-words.js";
import { lookOf } from "../use/look.js";
import { showOffers } from "../use/show-offers.js";
import { speakerFor } from "../use/speaker.js";
import { toolHelp } from "../use/tool-help.js";

/** Calls one tool of any server and prints what it gave. Throws `Failure` where the tool fails or cannot be called. */
export async function callTool(words: readonly string[], version: string): Promise<void> {
  if (wantsOnlyHelp(words)) return say(CALL_HELP);
  const options = readCallOptions(words, process.env);
  const { way, tool: name, pairs, json, isQuiet, wantsHelp } = options;
  if (wantsHelp && name === undefined) return say(CALL_HELP);
  const given = json === undefined ? {} : readJsonArguments(json === "-" ? await readAll(process.stdin) : json);
  const report = new Report(process.stderr, isQuiet);
  const isSomebodyThere = process.stdin.isTTY && json !== "-";
  const reach = await findReach(way, report);
  await converse(reach, report, speakerFor(version, report, isSomebodyThere), async (client, signal) => {
    const tools = await client.listTools({ signal });
    const look = lookOf(process.stdout, process.env);
    if (name === undefined) return say(showOffers({ tools }, look));
    const tool = findTool(tools, name, (note) => report.line(note));
    if (wantsHelp) return say(toolHelp(tool, { command: "call", way, ...look }));
    const args = { ...given, ...readArguments(tool, pairs, (note) => report.line(note)) };
    // What is given as a whole, in JSON, is for the server to judge.
    const all = json === undefined ? await askMissing(tool, args, { report, signal, isSomebodyThere }) : args;
    await call(client, tool, all, { options, report, signal });
  });
}

interface Calling {
  readonly options: CallOptions;
  readonly report: Report;
  readonly signal: AbortSignal;
}

async function call(client: Client, { name }: ListedTool, args: JsonObject, calling: Calling): Promise<void> {
  const { options, report, signal } = calling;
  const { handshake, capabilities } = client.server;
  if (!options.isQuiet && (!handshake || "logging" in capabilities)) await client.setLogLevel("info", { signal });
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
    await print(resultText(result, options.jsonOutput));
    if (result.isError) throw new Failure(`The tool "${name}" failed`, 1);
  } finally {
    bar.end();
  }
}

function taskText({ status, statusMessage = "" }: TaskState): string {
  return `Task ${status}${statusMessage && `: ${statusMessage}`}`;
}
