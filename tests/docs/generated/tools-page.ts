import type { Json, JsonObject, Tool } from "@toolwright/engine";
import { connect, type ListedTool } from "@toolwright/engine/client";
import { kindsOf, showValue } from "@toolwright/kit/cli";
import { isObject } from "@toolwright/kit/json";
import { createMemoryServer } from "../../../packages/toolwright/src/cli/memory-server.js";
import { loadServeConfig } from "../../../packages/toolwright/src/cli/serve-config.js";
import { loadKnownTools, READ_RESULT } from "../../../packages/toolwright/src/cli/tool-lists/known-tools.js";
import { countToolTokens, type ToolCost, totalOf } from "../../../packages/toolwright/src/cli/use/tools.js";
import { folder } from "../../../packages/toolwright/test/cli/listening.js";
import { GENERATED, page, plain, table } from "./markdown.js";

const known = await loadKnownTools();

/** A tool, as its pack defines it, as clients are shown it, and what it costs. */
interface Entry {
  readonly tool: Tool;
  readonly listed: ListedTool;
  readonly weight: ToolCost;
}

async function readEntries(): Promise<ReadonlyMap<string, Entry>> {
  const place = folder();
  const config = await loadServeConfig(["--all-tools", "--root", place], { env: {}, folder: place });
  const server = await createMemoryServer(config, place, "1.0.0");
  await server.start();
  const client = await connect({ server });
  try {
    const listed = await client.listTools();
    const weights = countToolTokens(listed, known);
    return new Map(
      server.tools.flatMap((tool): (readonly [string, Entry])[] => {
        const shown = listed.find(({ name }) => name === tool.name);
        const weight = weights.find((one) => one.tool === tool.name);
        return shown && weight ? [[tool.name, { tool, listed: shown, weight }]] : [];
      }),
    );
  } finally {
    await client.close();
    await server.close();
  }
}

/** What a tool says of itself for whoever allows or forbids it. */
function hintsOf({ annotations = {} }: Tool): string {
  const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = annotations;
  const hints = [
    readOnlyHint === true ? "only reads" : "changes",
    readOnlyHint !== true && destructiveHint !== false && "may destroy",
    readOnlyHint !== true && idempotentHint === true && "twice is as once",
    openWorldHint === true && "reaches others",
  ];
  return hints.filter((hint) => hint !== false).join(", ");
}

function kindOf(schema: JsonObject, root: JsonObject): string {
  const choices = schema["enum"];
  if (Array.isArray(choices)) return choices.map((one) => `\`${showValue(one)}\``).join(", ");
  const kinds = kindsOf(schema, root).map((kind) => {
    if (kind !== "array") return kind;
    const items = isObject(schema["items"]) ? schema["items"] : {};
    const [item] = kindsOf(items, root);
    return `list${item === undefined ? "" : ` of ${item}s`}`;
  });
  return kinds.filter((kind) => kind !== "null").join(" or ");
}

const shownValue = (value: Json | undefined): string => (value === undefined ? "" : `\`${JSON.stringify(value)}\``);

function boundsOf(schema: JsonObject): string {
  const { minimum, maximum, maxLength, maxItems } = schema as Record<string, number | undefined>;
  const from = minimum !== undefined && maximum !== undefined ? [`${minimum} to ${maximum}`] : [];
  const most = [
    ...from,
    ...(from.length === 0 && minimum !== undefined ? [`from ${minimum}`] : []),
    ...(from.length === 0 && maximum !== undefined ? [`to ${maximum}`] : []),
    ...(maxLength === undefined ? [] : [`${maxLength.toLocaleString("en-US")} characters`]),
    ...(maxItems === undefined ? [] : [`${maxItems.toLocaleString("en-US")} entries`]),
  ];
  return most.length === 0 ? "" : ` (${most.join(", ")})`;
}

function argumentTable({ inputSchema }: ListedTool): string {
  const root: JsonObject = inputSchema;
  const required = Array.isArray(root["required"]) ? root["required"] : [];
  const properties = isObject(root["properties"]) ? Object.entries(root["properties"]) : [];
  if (properties.length === 0) return "It takes no arguments.";
  const rows = properties.map(([name, value]) => {
    const schema = isObject(value) ? value : {};
    const about = schema["description"];
    return [
      `\`${name}\``,
      `${kindOf(schema, root)}${boundsOf(schema)}`,
      required.includes(name) ? "**needed**" : shownValue(schema["default"]),
      typeof about === "string" ? plain(about) : "",
    ];
  });
  return table(["argument", "is", "default", "what it is for"], rows);
}

function section({ tool, listed, weight }: Entry, toolset: string): string {
  const facts = [
    toolset === "" ? "" : `Toolset \`${toolset}\`.`,
    known.optional.includes(tool.name) ? "**Off by default.**" : "On by default.",
    `${hintsOf(tool)}.`.replace(/^./, (first) => first.toUpperCase()),
    tool.taskSupport === undefined ? "" : "Goes on as a [task](../guides/tasks.md) where the client can follow one.",
    `${weight.total} tokens.`,
    tool.aliases === undefined ? "" : `Also called ${tool.aliases.map((name) => `\`${name}\``).join(", ")}.`,
  ];
  return [
    `### ${tool.name}`,
    plain(listed.description ?? ""),
    facts.filter((fact) => fact !== "").join(" "),
    argumentTable(listed),
  ].join("\n\n");
}

/** docs/reference/tools.md */
export async function writeToolsPage(): Promise<string> {
  const entries = await readEntries();
  const rest = [...entries.keys()].filter((name) => !known.names.includes(name) || name === READ_RESULT);
  const groups = [
    ...Object.entries(known.byPack).map(([pack, toolsets]) => ({ title: `Pack ${pack}`, toolsets })),
    { title: "Of the server itself", toolsets: { "": rest } },
  ];
  const weights = [...entries.values()].map(({ weight }) => weight);
  const usual = weights.filter(({ tool }) => !known.optional.includes(tool));
  const number = (value: number) => value.toLocaleString("en-US");
  const of = (names: readonly string[]) => names.flatMap((name) => entries.get(name) ?? []);
  return page(
    "# Tools",
    GENERATED,
    `All ${weights.length} tools of \`toolwright serve\`, as the server lists them. By default it offers ${usual.length}, which cost a model\n${number(totalOf(usual))} tokens; all of them cost ${number(totalOf(weights))} (cl100k_base: name, description and input schema of each).\n[Tool selection](configuration.md#tool-selection) changes the list; \`toolwright tools --tokens\` counts the tokens of yours.`,
    table(
      ["pack", "toolset", "tools", "tokens"],
      groups.flatMap(({ title, toolsets }) =>
        Object.entries(toolsets).map(([toolset, names]) => [
          title.startsWith("Pack ") ? `[${title.slice(5)}](#pack-${title.slice(5)})` : "",
          toolset === "" ? "" : `\`${toolset}\``,
          of(names)
            .map(({ tool }) => `[\`${tool.name}\`](#${tool.name})`)
            .join(" "),
          number(totalOf(of(names).map(({ weight }) => weight))),
        ]),
      ),
    ),
    "Arguments whose meaning is certain are [corrected](server-options.md#corrected-and-rejected-arguments); other invalid arguments are\nrejected with the reason and an example of a valid call. What a failed call says is in [Errors](errors.md).",
    ...groups.flatMap(({ title, toolsets }) => [
      `## ${title}`,
      ...Object.entries(toolsets).flatMap(([toolset, names]) => of(names).map((entry) => section(entry, toolset))),
    ]),
  );
}
