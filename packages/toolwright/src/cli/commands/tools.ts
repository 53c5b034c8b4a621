import type { JsonObject } from "@toolwright/engine";
import type { ListedTool } from "@toolwright/engine/client";
import { kindWord, print, writeJson } from "@toolwright/kit/cli";
import { isObject } from "@toolwright/kit/json";
import { Report, visibleLine } from "@toolwright/kit/terminal";
import { argumentNames, inputOf } from "../arguments.js";
import { converse } from "../conversation.js";
import type { Reach } from "../target.js";
import { readToolsWords, type ToolsWish } from "../tool-lists/tools-words.js";
import { findReach } from "../use/find-reach.js";
import { lookOf } from "../use/look.js";
import { speakerFor } from "../use/speaker.js";

/** Lists the tools of any server, or of the one that `serve` would be: what they are for, or what they cost a model. */
export async function listTools(words: readonly string[], version: string): Promise<void> {
  const { server, asJson, isQuiet, wantsTokens, budget } = readToolsWords(words, process.env);
  const report = new Report(process.stderr, isQuiet);
  const { reach, close } = await reachOf(server, report, version);
  try {
    // Servers may have other tools for clients that can be asked, and a call can be.
    await converse(reach, report, speakerFor(version, report, process.stdin.isTTY), async (client, signal) => {
      const tools = await client.listTools({ signal });
      if (wantsTokens) await weigh(tools, client.server.info["name"] === "toolwright", { asJson, budget });
      else if (asJson) await print(writeJson(tools as unknown as JsonObject[]));
      else if (tools.length === 0) report.line("This server has no tools.");
      else await print(tools.map(describe).join("\n\n"));
    });
  } finally {
    await close?.();
  }
}

/** The way to the server, and how it is closed where it is ours. */
async function reachOf(
  server: ToolsWish["server"],
  report: Report,
  version: string,
): Promise<{ readonly reach: Reach; readonly close?: () => Promise<void> }> {
  if ("where" in server) return { reach: await findReach(server, report) };
  const { openOwn } = await import("../tool-lists/open-own.js");
  const own = await openOwn(server, version);
  return { reach: { target: { server: own }, options: {} }, close: () => own.close() };
}

async function weigh(
  tools: readonly ListedTool[],
  isOwn: boolean,
  wish: Pick<ToolsWish, "asJson" | "budget">,
): Promise<void> {
  const [{ weighTools }, { loadKnownTools }, { showWeights }] = await Promise.all([
    import("../tool-lists/weigh.js"),
    import("../tool-lists/known-tools.js"),
    import("../tool-lists/show-weights.js"),
  ]);
  await showWeights(weighTools(tools, isOwn ? await loadKnownTools() : undefined), {
    ...wish,
    look: lookOf(process.stdout, process.env),
  });
}

function describe(tool: ListedTool): string {
  const { name, description } = tool;
  const { schema: root, properties } = inputOf(tool);
  const names = argumentNames(tool);
  const rows = Object.values(properties).map((schema, at): [string, string, string] => [
    names[at] ?? "",
    kindWord(schema, root),
    firstLine(isObject(schema) ? schema["description"] : undefined),
  ]);
  const widths = [0, 1].map((column) => Math.max(0, ...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map(
    ([label, kind, about]) => `  ${label.padEnd(widths[0] ?? 0)}  ${kind.padEnd(widths[1] ?? 0)}  ${about}`,
  );
  const about = firstLine(description);
  return [about === "" ? name : `${name}: ${about}`, ...lines].map((line) => line.trimEnd()).join("\n");
}

function firstLine(words: unknown): string {
  return typeof words === "string" ? visibleLine(words.trim().split("\n")[0] ?? "") : "";
}
