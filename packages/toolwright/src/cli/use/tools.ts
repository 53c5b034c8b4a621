import type { JsonObject, Server } from "@toolwright/engine";
import type { ListedTool } from "@toolwright/engine/client";
import { type CommandContext, Failure, flagOf, kindWord, print, UsageError, writeJson } from "@toolwright/kit/cli";
import { isObject } from "@toolwright/kit/json";
import { type Column, drawTable, Report, type Screen, say, sayJson, visibleLine } from "@toolwright/kit/terminal";
import { countTokens } from "@toolwright/kit/tokens";
import { TOOL_SETTINGS } from "../commands/tools.js";
import { createMemoryServer } from "../memory-server.js";
import { stateOf } from "../pack-environment.js";
import { loadOrigins, originsOf } from "../serve-config.js";
import { type KnownTools, loadKnownTools } from "../tool-lists/known-tools.js";
import { argumentNames, inputOf } from "./arguments.js";
import { clientOptionsFor, withClient } from "./client-session.js";
import { connectionTo } from "./find-server.js";
import { readServerChoice, type ServerConnection } from "./server-choice.js";
import type { ServerInput } from "./server-options.js";

interface ToolsInput extends ServerInput {
  readonly server: string | undefined;
  readonly json: boolean;
  readonly tokens: boolean;
  readonly budget: number | undefined;
}

/** Lists the tools of a server, or of the one that `serve` would be: their descriptions, or what they cost a model. */
export async function runTools(input: ToolsInput, ctx: CommandContext): Promise<void> {
  const { json, budget } = input;
  const report = new Report(process.stderr, input.quiet);
  const { connection, own } = await connectTo(input, report, ctx.version);
  try {
    // Some servers have other tools for clients that support elicitation.
    await withClient(connection, report, clientOptionsFor(ctx, report, process.stdin.isTTY), async (client, signal) => {
      const tools = await client.listTools({ signal });
      if (input.tokens || budget !== undefined) {
        const costs = countToolTokens(
          tools,
          client.server.info["name"] === "toolwright" ? await loadKnownTools() : undefined,
        );
        await showCosts(costs, { asJson: json, budget, screen: ctx.screen });
      } else if (json) await print(writeJson(tools as unknown as JsonObject[]));
      else if (tools.length === 0) report.line("This server has no tools.");
      else await print(tools.map(describe).join("\n\n"));
    });
  } finally {
    await own?.close();
  }
}

/** Without a server in the command line, creates the one that `serve` would be. */
async function connectTo(
  input: ToolsInput,
  report: Report,
  version: string,
): Promise<{ readonly connection: ServerConnection; readonly own?: Server }> {
  const words = input.server === undefined ? [] : [input.server];
  if (words.length + [input.sse, input.socket, input.trailing].filter((form) => form !== undefined).length > 0) {
    const { way, rest } = readServerChoice(words, input, process.env);
    if (rest[0] !== undefined) throw new UsageError(`Unexpected argument "${rest[0]}"`);
    const { flags } = originsOf(input as ToolsInput & Readonly<Record<string, unknown>>);
    const setting = Object.keys(TOOL_SETTINGS).find((key) => flags[flagOf(key)] !== undefined);
    if (setting !== undefined) throw new UsageError(`${flagOf(setting)} is only for the server of this program`);
    return { connection: await connectionTo(way, report) };
  }
  const config = await loadOrigins(originsOf(input as ToolsInput & Readonly<Record<string, unknown>>));
  const own = await createMemoryServer(config, stateOf(config), version);
  return { connection: { target: { server: own }, options: {} }, own };
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

/** What a tool costs a model, in tokens of cl100k_base. */
export interface ToolCost {
  readonly tool: string;
  /** Undefined for tools of other programs. */
  readonly toolset: string | undefined;
  readonly description: number;
  readonly schema: number;
  /** Of the name, description and schema as one JSON object, which is what models get. */
  readonly total: number;
  /** The part of all tools, from 0 to 1. */
  readonly share: number;
}

/** Counts the tokens of tools, the most expensive first. */
export function countToolTokens(tools: readonly ListedTool[], known: KnownTools | undefined): readonly ToolCost[] {
  const costs = tools.map(({ name, description, inputSchema }) => ({
    tool: name,
    toolset: known?.toolsetOf(name),
    description: description === undefined ? 0 : countTokens(description),
    schema: countTokens(JSON.stringify(inputSchema)),
    total: countTokens(JSON.stringify({ name, description, inputSchema })),
  }));
  const all = totalOf(costs);
  return costs.map((cost) => ({ ...cost, share: cost.total / all })).toSorted((one, other) => other.total - one.total);
}

/** The cost of all tools. */
export const totalOf = (costs: readonly Pick<ToolCost, "total">[]): number =>
  costs.reduce((sum, { total }) => sum + total, 0);

/** How many tools an error message names. */
const MAX_NAMES = 5;

/** Prints what tools cost, as a table or as JSON. Throws `Failure` if that exceeds the budget. */
async function showCosts(
  costs: readonly ToolCost[],
  {
    asJson,
    budget,
    screen,
  }: { readonly asJson: boolean; readonly budget: number | undefined; readonly screen: Screen },
): Promise<void> {
  const total = totalOf(costs);
  if (asJson) await sayJson({ tools: costs.map(toJson), total, ...(budget !== undefined && { budget }) });
  else
    await say(
      `${drawTable(columnsOf(costs), costs, { width: screen.width, head: screen.paint.faint })}\n\n${sum(costs)}`,
    );
  if (budget === undefined || total <= budget) return;
  const top = costs.slice(0, MAX_NAMES).map(({ tool, total: tokens }) => `${tool} (${tokens})`);
  throw new Failure(
    `The tools cost ${number(total)} tokens, ${number(total - budget)} more than the budget of ${number(budget)}. The most expensive: ${top.join(", ")}`,
    1,
  );
}

function columnsOf(costs: readonly ToolCost[]): Column<ToolCost>[] {
  const toolset: Column<ToolCost> = { name: "toolset", text: (cost) => cost.toolset ?? "" };
  return [
    { name: "tool", text: ({ tool }) => tool, gives: "words" },
    ...(costs.some((cost) => cost.toolset !== undefined) ? [toolset] : []),
    { name: "description", text: ({ description }) => number(description), isNumber: true },
    { name: "schema", text: ({ schema }) => number(schema), isNumber: true },
    { name: "total", text: ({ total }) => number(total), isNumber: true },
    { name: "share", text: ({ share }) => `${(share * 100).toFixed(1)} %`, isNumber: true },
  ];
}

const sum = (costs: readonly ToolCost[]): string =>
  `${costs.length} ${costs.length === 1 ? "tool costs" : "tools cost"} ${number(totalOf(costs))} tokens (cl100k_base: name, description and input schema of each).`;

const number = (value: number): string => value.toLocaleString("en-US");

const toJson = ({ tool, toolset, share, ...tokens }: ToolCost): object => ({
  name: tool,
  ...(toolset !== undefined && { toolset }),
  tokens,
  share: Math.round(share * 10_000) / 10_000,
});
