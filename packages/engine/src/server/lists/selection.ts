import { refuseUnknown } from "../known-members.js";

/** Which tools are offered: those of the toolsets and those named, all if neither is given; less what is taken away. */
export interface Selection {
  readonly toolsets?: readonly string[];
  readonly tools?: readonly string[];
  /** Tools that are left out, whatever else is said. */
  readonly without?: readonly string[];
  /** Leaves out every tool that does not say with `readOnlyHint` that it changes nothing. */
  readonly readOnly?: boolean;
  /** What whoever calls a tool that is left out is told to do about it. */
  readonly hint?: string;
}

/** How tools are found: all are listed, or three that search, describe and call the others. */
export type Discovery = "full" | "progressive";

const MEMBERS: Readonly<Record<keyof Selection, true>> = {
  toolsets: true,
  tools: true,
  without: true,
  readOnly: true,
  hint: true,
};

/** Checks what can be checked of a selection without the tools. Throws `TypeError` that names the member at fault. */
export function checkSelection(deed: string, selection: Selection): Selection {
  refuseUnknown(deed, selection, MEMBERS);
  for (const member of ["toolsets", "tools", "without"] as const) {
    const given: unknown = selection[member];
    if (given === undefined || (Array.isArray(given) && given.every((name) => typeof name === "string"))) continue;
    throw new TypeError(`Cannot ${deed}: ${member} of the selection must be a list of names`);
  }
  if (selection.readOnly !== undefined && typeof selection.readOnly !== "boolean")
    throw new TypeError(`Cannot ${deed}: readOnly of the selection must be true or false`);
  return selection;
}

/** Throws `TypeError` for what is no way to find tools. */
export function checkDiscovery(deed: string, discovery: Discovery | undefined): void {
  if (discovery === undefined || discovery === "full" || discovery === "progressive") return;
  throw new TypeError(`Cannot ${deed}: discovery must be full or progressive, not ${String(discovery)}`);
}
