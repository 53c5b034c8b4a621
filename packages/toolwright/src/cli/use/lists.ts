import { type Client, type ListedTool, type NegotiatedServer, ResponseError } from "@toolwright/engine/client";
import { type Column, drawTable, type Report, type Screen, visible, visibleLine } from "@toolwright/kit/terminal";
import { argumentNames } from "./arguments.js";

/** The lists of a server. */
export const LIST_NAMES = ["tools", "resources", "templates", "prompts"] as const;

/** One of the lists. */
export type ListName = (typeof LIST_NAMES)[number];

/** The lists of a server, as it sends them. */
export type ServerLists = Partial<{ readonly [Each in ListName]: Awaited<ReturnType<(typeof LISTS)[Each]>> }>;

const LISTS = {
  tools: (client: Client, signal: AbortSignal) => client.listTools({ signal }),
  resources: (client: Client, signal: AbortSignal) => client.listResources({ signal }),
  templates: (client: Client, signal: AbortSignal) => client.listResourceTemplates({ signal }),
  prompts: (client: Client, signal: AbortSignal) => client.listPrompts({ signal }),
};

const CAPABILITIES: Readonly<Record<ListName, string>> = {
  tools: "tools",
  resources: "resources",
  templates: "resources",
  prompts: "prompts",
};

/** Reads one list of a server, or all that it declares. */
export async function readLists(
  client: Client,
  kind: ListName | undefined,
  report: Report,
  signal: AbortSignal,
): Promise<ServerLists> {
  const { capabilities } = client.server;
  if (kind !== undefined)
    return { [kind]: CAPABILITIES[kind] in capabilities ? await LISTS[kind](client, signal) : [] };
  const offers: Record<string, unknown> = {};
  for (const each of LIST_NAMES.filter((one) => CAPABILITIES[one] in capabilities)) {
    try {
      offers[each] = await LISTS[each](client, signal);
    } catch (error) {
      // The other lists are still of use.
      if (!(error instanceof ResponseError)) throw error;
      report.line(`The server refuses to list its ${each}: ${error.message}`);
    }
  }
  return offers;
}

/** A row of any of the lists. */
interface ListRow {
  readonly name: string;
  readonly more: string;
  readonly description: string;
}

/** The name, version and revision of a server, and its instructions. */
export function showServer({ info, revision, instructions }: NegotiatedServer, { paint }: Screen): string {
  const { name, title, version } = info;
  const words = [title, name].filter((word) => typeof word === "string");
  const [first = "unnamed server", second] = words;
  const names = second === undefined || second === first ? first : `${first} (${second})`;
  const known = typeof version === "string" ? ` ${version}` : "";
  const head = `${paint.bold(visibleLine(names))}${visibleLine(known) && ` ${visibleLine(known)}`}, revision ${revision}`;
  return instructions === undefined ? head : `${head}\n${visible(instructions.trim())}`;
}

/** Renders the lists of a server as tables. */
export function showLists(offers: ServerLists, screen: Screen): string {
  const tables = LIST_NAMES.flatMap((kind) => {
    const rows = rowsOf(kind, offers);
    if (rows === undefined) return [];
    const heading = screen.paint.bold(`${HEADINGS[kind]} (${rows.length})`);
    return [rows.length === 0 ? heading : `${heading}\n${table(kind, rows, screen)}`];
  });
  return tables.join("\n\n");
}

const HEADINGS: Readonly<Record<ListName, string>> = {
  tools: "Tools",
  resources: "Resources",
  templates: "Templates",
  prompts: "Prompts",
};

/** The heading of the middle column. */
const MIDDLE: Readonly<Record<ListName, string>> = {
  tools: "arguments",
  resources: "type",
  templates: "type",
  prompts: "arguments",
};

function rowsOf(kind: ListName, offers: ServerLists): readonly ListRow[] | undefined {
  if (kind === "tools") return offers.tools?.map(toolRow);
  if (kind === "prompts")
    return offers.prompts?.map(({ name, arguments: given = [], ...rest }) => {
      const more = given.map((each) => `${each.name}${each.required === true ? "*" : ""}`).join(", ");
      return { name, more, description: descriptionOf(rest) };
    });
  if (kind === "templates")
    return offers.templates?.map(({ uriTemplate, mimeType = "", ...rest }) => ({
      name: uriTemplate,
      more: mimeType,
      description: descriptionOf(rest),
    }));
  return offers.resources?.map(({ uri, mimeType = "", ...rest }) => ({
    name: uri,
    more: mimeType,
    description: descriptionOf(rest),
  }));
}

function toolRow(tool: ListedTool): ListRow {
  return { name: tool.name, more: argumentNames(tool).join(", "), description: descriptionOf(tool) };
}

function descriptionOf(of: { readonly description?: string; readonly title?: string; readonly name?: string }): string {
  const { description, title, name } = of;
  const first = [description, title, name].find((words) => typeof words === "string" && words.trim() !== "");
  return visibleLine(first?.trim().split("\n")[0] ?? "");
}

function table(kind: ListName, rows: readonly ListRow[], { paint, width }: Screen): string {
  const isUri = kind === "resources" || kind === "templates";
  const all: readonly Column<ListRow>[] = [
    { name: isUri ? "uri" : "name", text: ({ name }) => name, paint: (text) => paint.cyan(text) },
    { name: MIDDLE[kind], text: ({ more }) => more, gives: "words" },
    { name: "description", text: ({ description }) => description, gives: "words" },
  ];
  // Empty columns are left out.
  const columns = all.filter((column) => rows.some((row) => column.text(row) !== ""));
  return drawTable(columns, rows, { width: width - 2, head: paint.faint })
    .split("\n")
    .map((line) => `  ${line}`.trimEnd())
    .join("\n");
}
