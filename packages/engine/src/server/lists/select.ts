import { shortened } from "../../jsonrpc/errors.js";
import { nearest } from "../../schema/nearest.js";
import type { Catalogue } from "../catalogue.js";
import type { RegisteredTool } from "../register-tool.js";
import type { Selection } from "./selection.js";

/** The tools of a catalogue that a selection leaves; what the engine brings itself is left out only by name. `isForAll`: so for every client. */
export function select(
  tools: Catalogue<RegisteredTool>,
  selection: Selection,
  isForAll = true,
): Catalogue<RegisteredTool> {
  const { toolsets, tools: named, without, readOnly = false } = selection;
  const isWanted = ({ tool, toolsets: own, isOwn }: RegisteredTool): boolean => {
    if (without?.includes(tool.name)) return false;
    if (readOnly && tool.annotations?.readOnlyHint !== true) return false;
    if (isOwn || (toolsets === undefined && named === undefined)) return true;
    return named?.includes(tool.name) === true || own.some((name) => toolsets?.includes(name));
  };
  return tools.having(tools.entries.filter(isWanted), isForAll);
}

/** A name in a selection that stands for nothing, and the one that may be meant. */
export interface UnknownName {
  readonly kind: "tool" | "toolset";
  readonly name: string;
  readonly meant: string | undefined;
}

/** The first name of a selection that no tool and no toolset has. */
export function unknownName(
  { entries }: Catalogue<RegisteredTool>,
  { toolsets = [], tools = [], without = [] }: Selection,
): UnknownName | undefined {
  const known = {
    toolset: new Set(entries.flatMap((entry) => entry.toolsets)),
    tool: new Set(entries.map(({ tool }) => tool.name)),
  };
  const find = (kind: "tool" | "toolset", names: readonly string[]): UnknownName | undefined => {
    const name = names.find((one) => !known[kind].has(one));
    return name === undefined ? undefined : { kind, name, meant: nearest(name, known[kind]) };
  };
  return find("toolset", toolsets) ?? find("tool", [...tools, ...without]);
}

/** Throws `TypeError` that names what a selection has and no tool or toolset is called, and the nearest right name. */
export function refuseUnknownNames(
  deed: string,
  { all }: { readonly all: Catalogue<RegisteredTool> },
  selection: Selection,
): void {
  const unknown = unknownName(all, selection);
  if (unknown !== undefined) throw new TypeError(`Cannot ${deed}: ${wordUnknown(unknown)}`);
}

/** Says in plain words what is unknown. */
export const wordUnknown = ({ kind, name, meant }: UnknownName): string =>
  `there is no ${kind} "${shortened(name)}"${meant === undefined ? "" : `; did you mean "${meant}"?`}`;
