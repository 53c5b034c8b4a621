import { truncate } from "../../jsonrpc/errors.js";
import { closestMatch } from "../../schema/closest-match.js";
import type { Catalog } from "../catalog.js";
import * as check from "../definitions/checks.js";
import type { RegisteredTool } from "../definitions/tool.js";
import type { DependentCatalogs } from "../registry.js";

/**
 * Which tools are available: those of the toolsets and those named, or all if neither is set, without the excluded ones.
 *
 * @example
 * createServer({ name: "files", version: "1.0.0", tools, toolOptions: { filter: { readOnly: true, exclude: ["find"] } } });
 */
export interface ToolFilter {
  readonly toolsets?: readonly string[];
  readonly tools?: readonly string[];
  /** Tools that are never available. */
  readonly exclude?: readonly string[];
  /** Only tools with `readOnlyHint` are available. */
  readonly readOnly?: boolean;
  /** Added to the error for a call of a tool that is not available: how to enable it. */
  readonly hint?: string;
}

/** How clients find tools: all are listed, or three tools that search, describe and call the others. */
export type ToolDiscovery = "full" | "progressive";

/** A group of tools that is enabled and disabled together. */
export interface Toolset {
  readonly name: string;
  /** The names of all its tools, available or not. */
  readonly tools: readonly string[];
}

/** The members of a filter. Whether the names in it exist is checked against a catalog. */
export const TOOL_FILTER_CHECKS: check.Checks<ToolFilter> = {
  toolsets: check.nameList,
  tools: check.nameList,
  exclude: check.nameList,
  readOnly: check.boolean,
  hint: check.string,
};

/** Checks how clients find tools. */
export const toolDiscovery: check.Check = check.oneOf("full", "progressive");

/** Groups tools by the toolset that each names and by pack. */
export function groupToolsets(entries: readonly RegisteredTool[]): readonly Toolset[] {
  const groups = new Map<string, string[]>();
  for (const { tool, toolsets } of withoutReplaced(entries)) {
    for (const name of toolsets) groups.set(name, [...(groups.get(name) ?? []), tool.name]);
  }
  return Array.from(groups, ([name, tools]) => ({ name, tools }));
}

/** The tools that no other one replaces. */
const withoutReplaced = (entries: readonly RegisteredTool[]): readonly RegisteredTool[] =>
  entries.filter(({ tool }) => tool.replacedBy === undefined);

/** The entries whose required tools are all available; the same catalog if these are all. */
function availableEntries<Entry>(
  catalog: Catalog<Entry>,
  requiresOf: (entry: Entry) => readonly string[] | undefined,
  tools: Catalog<RegisteredTool>,
  isShared: boolean,
): Catalog<Entry> {
  const entries = catalog.entries.filter(
    (entry) => requiresOf(entry)?.every((name) => tools.byName.get(name) !== undefined) ?? true,
  );
  return entries.length === catalog.entries.length ? catalog : catalog.replaceEntries(entries, isShared);
}

/** The prompts, resources and resource templates that a tool filter leaves. */
export const filterDependents = (
  { prompts, resources, templates }: DependentCatalogs,
  tools: Catalog<RegisteredTool>,
  isShared = true,
): DependentCatalogs => ({
  prompts: availableEntries(prompts, ({ prompt }) => prompt.requires, tools, isShared),
  resources: availableEntries(resources, ({ resource }) => resource.requires, tools, isShared),
  templates: availableEntries(templates, ({ template }) => template.requires, tools, isShared),
});

/** The tools of a catalog that are listed: those that no other one replaces, and those that a filter names. */
export function listedTools(catalog: Catalog<RegisteredTool>, filter?: ToolFilter): Catalog<RegisteredTool> {
  const isNamed = ({ tool, definedName }: RegisteredTool): boolean =>
    filter?.tools?.some((name) => name === tool.name || name === definedName) === true;
  const listed = catalog.entries.filter((entry) => entry.tool.replacedBy === undefined || isNamed(entry));
  return listed.length === catalog.entries.length ? catalog : catalog.replaceEntries(listed);
}

/**
 * The tools of a catalog that pass a filter. Built-in tools are removed only by name or `readOnly`. `isShared`: the filter
 * applies to every client, so that clients may share a cached list.
 */
export function filterTools(
  catalog: Catalog<RegisteredTool>,
  { toolsets, tools, exclude, readOnly = false }: ToolFilter,
  isShared = true,
): Catalog<RegisteredTool> {
  const isAvailable = (entry: RegisteredTool): boolean => {
    const { annotations, name: listedName, replacedBy = listedName } = entry.tool;
    const names = [listedName, entry.definedName, replacedBy];
    if (names.some((name) => exclude?.includes(name))) return false;
    if (readOnly && annotations?.readOnlyHint !== true) return false;
    if (entry.isBuiltIn || (toolsets === undefined && tools === undefined)) return true;
    return names.some((name) => tools?.includes(name)) || entry.toolsets.some((toolset) => toolsets?.includes(toolset));
  };
  return catalog.replaceEntries(catalog.entries.filter(isAvailable), isShared);
}

/** A name in a filter that matches no tool or toolset: a message, and the closest known name. */
export interface UnknownName {
  readonly message: string;
  readonly suggestion: string | undefined;
}

/** Finds the first name in a filter that matches no tool or toolset. */
export function findUnknownName(
  { entries }: Catalog<RegisteredTool>,
  { toolsets = [], tools = [], exclude = [] }: ToolFilter,
): UnknownName | undefined {
  const find = (kind: string, names: readonly string[], known: ReadonlySet<string>): UnknownName | undefined => {
    const name = names.find((candidate) => !known.has(candidate));
    if (name === undefined) return undefined;
    const suggestion = closestMatch(name, known);
    const hint = suggestion === undefined ? "" : `; did you mean "${suggestion}"?`;
    return { message: `there is no ${kind} "${truncate(name)}"${hint}`, suggestion };
  };
  return (
    find("toolset", toolsets, new Set(entries.flatMap((entry) => entry.toolsets))) ??
    find("tool", [...tools, ...exclude], new Set(entries.flatMap(({ tool, definedName }) => [tool.name, definedName])))
  );
}

/** Throws `TypeError` for a name in a filter that matches no tool or toolset. */
export function rejectUnknownNames(action: string, catalog: Catalog<RegisteredTool>, filter: ToolFilter): void {
  const unknown = findUnknownName(catalog, filter);
  if (unknown !== undefined) throw new TypeError(`Cannot ${action}: ${unknown.message}`);
}
