import { text as readAll } from "node:stream/consumers";
import type { LogLine, Progress, TaskState } from "@toolwright/engine/client";
import { findTool, readArguments, readJsonArguments } from "../arguments.js";
import { readCallOptions } from "../call-options.js";
import { converse } from "../conversation.js";
import { Failure } from "../failure.js";
import { print } from "../print.js";
import { resultText } from "../result-text.js";
import { answersOf } from "../terminal/questions.js";
import { Report } from "../terminal/report.js";
import { showValue } from "../values.js";

/** Calls one tool of any server and prints what it gave. Throws `Failure` where the tool fails or cannot be called. */
export async function callTool(words: readonly string[], version: string): Promise<void> {
  const { reach, tool: name, pairs, json, jsonOutput } = readCallOptions(words, process.env);
  const given = json === undefined ? {} : readJsonArguments(json === "-" ? await readAll(process.stdin) : json);
  const report = new Report(process.stderr);
  const more = {
    info: { name: "toolwright", version },
    onLog: (line: LogLine) => report.line(logText(line)),
    ...answersOf(report, process.stdin.isTTY && json !== "-"),
  };
  await converse(reach, report, more, async (client, signal) => {
    const tool = findTool(await client.listTools({ signal }), name);
    const args = { ...given, ...readArguments(tool, pairs) };
    const { handshake, capabilities } = client.server;
    if (!handshake || "logging" in capabilities) await client.setLogLevel("info", { signal });
    const result = await client.callTool(name, args, {
      signal,
      onProgress: (progress) => report.state(progressText(progress)),
      onTask: (task) => report.state(taskText(task)),
    });
    report.clear();
    await print(resultText(result, jsonOutput));
    if (result.isError) throw new Failure(`The tool "${name}" failed`, 1);
  });
}

function logText({ level, logger, data }: LogLine): string {
  // A server may have left out what has to be there.
  return `[${showValue(level ?? "log").toUpperCase()}] ${logger === undefined ? "" : `${logger}: `}${showValue(data)}`;
}

function progressText({ progress, total, message = "" }: Progress): string {
  // It has to grow with each report, so that those of mere life grow by next to nothing.
  const done = Math.round(progress * 1000) / 1000;
  const count = total === undefined ? `${done}` : `${done}/${total}`;
  return `Progress ${count}${message && `: ${message}`}`;
}

function taskText({ status, statusMessage = "" }: TaskState): string {
  return `Task ${status}${statusMessage && `: ${statusMessage}`}`;
}
