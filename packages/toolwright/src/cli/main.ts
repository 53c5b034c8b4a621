#!/usr/bin/env node
import { readFileSync } from "node:fs";
import { ConfigError } from "../config/config-error.js";
import type { Failure } from "./failure.js";
import { CONFIG_HELP, HELP, SERVE_HELP } from "./help.js";
import { UsageError } from "./usage-error.js";

const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as {
  version: string;
};

/** Does what the words say. Throws `UsageError` for words that say nothing. */
async function run([command, ...rest]: readonly string[]): Promise<void> {
  // What follows -- is the command line of another program.
  const own = rest.includes("--") ? rest.slice(0, rest.indexOf("--")) : rest;
  const wantsHelp = own.some((word) => word === "--help" || word === "-h");
  if (command === "serve" && !wantsHelp) await runServe(rest);
  else if (command === "serve") process.stdout.write(SERVE_HELP);
  else if (command === "key" && !wantsHelp) {
    const { makeKey } = await import("./commands/key.js");
    makeKey(rest);
  } else if (command === "config" && !wantsHelp) {
    const { runConfig } = await import("./commands/config.js");
    await runConfig(rest);
  } else if (command === "config") process.stdout.write(CONFIG_HELP);
  else if (command !== undefined && Object.hasOwn(COMMANDS, command)) await COMMANDS[command]?.(rest, wantsHelp);
  else if (command === "--version" || command === "-v") process.stdout.write(`${version}\n`);
  else if (command === undefined || wantsHelp || ["--help", "-h", "help"].includes(command)) process.stdout.write(HELP);
  else throw new UsageError(await unknownCommand(command));
}

/** The commands that no server loads. */
const COMMANDS: Readonly<Record<string, (rest: readonly string[], wantsHelp: boolean) => Promise<void>>> = {
  tools: (rest, wantsHelp) => runClient("tools", rest, wantsHelp),
  call: (rest, wantsHelp) => runClient("call", rest, wantsHelp),
  replay: runReplay,
  template: (rest, wantsHelp) => runTemplates("template", rest, wantsHelp),
  new: (rest, wantsHelp) => runTemplates("new", rest, wantsHelp),
  analyze: runAnalysis,
  task: runTasks,
  kb: runKnowledge,
  threats: runThreatPatterns,
  completion: runCompletions,
  dashboard: runDashboards,
};

async function unknownCommand(command: string): Promise<string> {
  const { nearest } = await import("../words/nearest.js");
  const meant = nearest(command, ["serve", "config", "key", ...Object.keys(COMMANDS)]);
  return `"${command}" is unknown${meant === undefined ? "" : `; did you mean ${meant}?`}`;
}

/** Takes stdin and stdout before it loads what it serves: a client hears why that cannot be done. */
async function runServe(rest: readonly string[]): Promise<void> {
  const isForOthers = rest.some((word) => /^--(?:http|ws|socket)(?:=|$)/.test(word)) && !rest.includes("--stdio");
  const { takeStdio } = await import("@toolwright/engine");
  const front = isForOthers ? undefined : await takeStdio();
  try {
    const { serve } = await import("./commands/serve.js");
    await serve(rest, version, front);
  } catch (error) {
    // A client gets it in one line.
    front?.fail(error instanceof ConfigError ? new Error(error.line) : error);
    throw error;
  }
}

/** What talks to servers; those who serve do not load it. */
async function runClient(command: "call" | "tools", rest: readonly string[], wantsHelp: boolean): Promise<void> {
  if (wantsHelp) {
    const { CALL_HELP, TOOLS_HELP } = await import("./client-help.js");
    process.stdout.write(command === "call" ? CALL_HELP : TOOLS_HELP);
  } else if (command === "call") await (await import("./commands/call.js")).callTool(rest, version);
  else await (await import("./commands/tools.js")).listTools(rest, version);
}

async function runReplay(rest: readonly string[], wantsHelp: boolean): Promise<void> {
  if (wantsHelp) process.stdout.write((await import("./replay/replay-help.js")).REPLAY_HELP);
  else await (await import("./commands/replay.js")).replayRecording(rest, version);
}

async function runTemplates(command: "template" | "new", rest: readonly string[], wantsHelp: boolean): Promise<void> {
  if (wantsHelp) {
    const { NEW_HELP, TEMPLATE_HELP } = await import("./templates/template-help.js");
    process.stdout.write(command === "new" ? NEW_HELP : TEMPLATE_HELP);
  } else if (command === "new") await (await import("./commands/new.js")).makeNew(rest);
  else await (await import("./commands/template.js")).runTemplate(rest);
}

async function runAnalysis(rest: readonly string[], wantsHelp: boolean): Promise<void> {
  if (wantsHelp) process.stdout.write((await import("./analyze/analyze-help.js")).ANALYZE_HELP);
  else await (await import("./commands/analyze.js")).runAnalyze(rest);
}

async function runTasks(rest: readonly string[], wantsHelp: boolean): Promise<void> {
  if (wantsHelp) process.stdout.write((await import("./task/task-help.js")).TASK_HELP);
  else
    await (await import("./commands/task.js")).runTask(rest, async () =>
      (await import("./task/told.js")).readTold("packs.todo"),
    );
}

async function runKnowledge(rest: readonly string[], wantsHelp: boolean): Promise<void> {
  if (wantsHelp) process.stdout.write((await import("./kb/kb-help.js")).KB_HELP);
  else await (await import("./commands/kb.js")).runKb(rest);
}

async function runThreatPatterns(rest: readonly string[], wantsHelp: boolean): Promise<void> {
  if (wantsHelp) process.stdout.write((await import("./threats/threats-help.js")).THREATS_HELP);
  else
    await (await import("./commands/threats.js")).runThreats(rest, async () =>
      (await import("./task/told.js")).readTold("packs.threats"),
    );
}

async function runCompletions(rest: readonly string[], wantsHelp: boolean): Promise<void> {
  if (wantsHelp) process.stdout.write((await import("./completion/completion-help.js")).COMPLETION_HELP);
  else await (await import("./commands/completion.js")).runCompletion(rest);
}

async function runDashboards(rest: readonly string[], wantsHelp: boolean): Promise<void> {
  if (wantsHelp) process.stdout.write((await import("./dashboard/dashboard-help.js")).DASHBOARD_HELP);
  else await (await import("./commands/dashboard.js")).runDashboard(rest, version);
}

/** The commands that have a help of their own. */
const WITH_HELP = new Set([
  "serve",
  "config",
  "call",
  "tools",
  "replay",
  "template",
  "new",
  "analyze",
  "task",
  "kb",
  "threats",
  "completion",
  "dashboard",
]);

const words = process.argv.slice(2);
try {
  await run(words);
} catch (error) {
  const { message, code } = toFailure(error);
  process.stderr.write(`toolwright: ${message}\n`, () => process.exit(code));
}

/** What went wrong in words, and the code that the process ends with. Errors go by their names: some commands are built apart, with classes of their own. */
function toFailure(error: unknown): { readonly message: string; readonly code: number } {
  const { message, name } = error instanceof Error ? error : new Error(String(error));
  if (name !== "UsageError" && name !== "ConfigError")
    return { message, code: name === "Failure" ? (error as Failure).code : 1 };
  const [command = ""] = words;
  const help = WITH_HELP.has(command) ? `toolwright ${command} --help` : "toolwright --help";
  const hint = `Run "${help}" for what there is.`;
  if (message.includes("\n")) return { message: `${message}\n${hint}`, code: 2 };
  return { message: `${message}${message.endsWith("?") ? "" : "."} ${hint}`, code: 2 };
}
