import type { ListedTool, NegotiatedServer } from "@toolwright/engine/client";
import { type Column, drawTable, visible, visibleLine } from "@toolwright/kit/terminal";
import { argumentNames } from "../arguments.js";
import type { Look } from "./look.js";
import { KINDS, type Kind, type Offers } from "./offers.js";

/** A row of any of the lists. */
interface Offer {
  readonly name: string;
  readonly more: string;
  readonly about: string;
}

/** Who a server is: its name, its version, the revision that it speaks, and what it tells models of itself. */
export function showServer({ info, revision, instructions }: NegotiatedServer, { paint }: Look): string {
  const { name, title, version } = info;
  const words = [title, name].filter((word) => typeof word === "string");
  const [first = "A server that does not say its name", second] = words;
  const names = second === undefined || second === first ? first : `${first} (${second})`;
  const known = typeof version === "string" ? ` ${version}` : "";
  const head = `${paint.bold(visibleLine(names))}${visibleLine(known) && ` ${visibleLine(known)}`}, revision ${revision}`;
  return instructions === undefined ? head : `${head}\n${visible(instructions.trim())}`;
}

/** The lists of a server as tables, each below its name. */
export function showOffers(offers: Offers, look: Look): string {
  const tables = KINDS.flatMap((kind) => {
    const rows = rowsOf(kind, offers);
    if (rows === undefined) return [];
    const heading = look.paint.bold(`${HEADINGS[kind]} (${rows.length})`);
    return [rows.length === 0 ? heading : `${heading}\n${table(kind, rows, look)}`];
  });
  return tables.join("\n\n");
}

const HEADINGS: Readonly<Record<Kind, string>> = {
  tools: "Tools",
  resources: "Resources",
  templates: "Templates",
  prompts: "Prompts",
};

/** What the middle column is called. */
const MORE: Readonly<Record<Kind, string>> = {
  tools: "takes",
  resources: "type",
  templates: "type",
  prompts: "takes",
};

function rowsOf(kind: Kind, offers: Offers): readonly Offer[] | undefined {
  if (kind === "tools") return offers.tools?.map(toolRow);
  if (kind === "prompts")
    return offers.prompts?.map(({ name, arguments: given = [], ...rest }) => {
      const more = given.map((each) => `${each.name}${each.required === true ? "*" : ""}`).join(", ");
      return { name, more, about: aboutOf(rest) };
    });
  if (kind === "templates")
    return offers.templates?.map(({ uriTemplate, mimeType = "", ...rest }) => ({
      name: uriTemplate,
      more: mimeType,
      about: aboutOf(rest),
    }));
  return offers.resources?.map(({ uri, mimeType = "", ...rest }) => ({
    name: uri,
    more: mimeType,
    about: aboutOf(rest),
  }));
}

/** One line for each tool: its name, what it takes, what it is for. */
function toolRow(tool: ListedTool): Offer {
  return { name: tool.name, more: argumentNames(tool).join(", "), about: aboutOf(tool) };
}

function aboutOf(of: { readonly description?: string; readonly title?: string; readonly name?: string }): string {
  const { description, title, name } = of;
  const first = [description, title, name].find((words) => typeof words === "string" && words.trim() !== "");
  return visibleLine(first?.trim().split("\n")[0] ?? "");
}

function table(kind: Kind, rows: readonly Offer[], { paint, width }: Look): string {
  const isUri = kind === "resources" || kind === "templates";
  const all: readonly Column<Offer>[] = [
    { name: isUri ? "uri" : "name", text: ({ name }) => name, paint: (text) => paint.cyan(text) },
    { name: MORE[kind], text: ({ more }) => more, gives: "words" },
    { name: "about", text: ({ about }) => about, gives: "words" },
  ];
  // A column in which nothing stands only takes room.
  const columns = all.filter((column) => rows.some((row) => column.text(row) !== ""));
  return drawTable(columns, rows, { width: width - 2, head: paint.faint })
    .split("\n")
    .map((line) => `  ${line}`.trimEnd())
    .join("\n");
}
