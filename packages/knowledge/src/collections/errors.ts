import { ToolError } from "@toolwright/engine";
import type { Check } from "../evaluation/gates.js";

/** There is no such collection. */
export const collectionNotFound = (name: string, near: string | undefined): ToolError =>
  new ToolError(
    `There is no collection ${quote(name)}.${near === undefined ? " kb_list_collections shows those that there are; kb_create makes one." : ` Did you mean ${quote(near)}?`}`,
    { code: "NOT_FOUND", details: { collection: cut(name), ...(near !== undefined && { suggestion: near }) } },
  );

/** A name cannot be that of a collection. */
export const wrongName = (name: string): ToolError =>
  new ToolError(
    `Cannot use ${quote(name)} as the name of a collection: it may have letters, digits, "_" and "-", 1 to 100 of them.`,
    { code: "INVALID_ARGUMENT", details: { collection: cut(name) } },
  );

/** A collection of that name is there. */
export const nameTaken = (name: string, free: string): ToolError =>
  new ToolError(
    `Cannot create ${quote(name)}: there is a collection of that name. Ingest into it, or take another name, such as ${quote(free)}.`,
    { code: "ALREADY_EXISTS", details: { collection: name, suggestion: free } },
  );

/** A collection has no such version. */
export const versionNotFound = (name: string, number: number, known: readonly number[]): ToolError =>
  new ToolError(
    `${quote(name)} has no version ${number}. ${known.length === 0 ? "It has none yet: ingest something." : `It has ${known.join(", ")}.`}`,
    { code: "NOT_FOUND", details: { collection: name, version: number, allowed: [...known] } },
  );

/** A collection has nothing to answer with. */
export const noActiveVersion = (name: string): ToolError =>
  new ToolError(`${quote(name)} has no version that answers yet: ingest something, or promote a version.`, {
    code: "CONFLICT",
    details: { collection: name },
  });

/** A version cannot be used as it is. */
export const versionNotReady = (action: string, name: string, number: number, status: string): ToolError =>
  new ToolError(
    `Cannot ${action} version ${number} of ${quote(name)}: it is ${status}. kb_versions shows which are ready.`,
    {
      code: "CONFLICT",
      details: { collection: name, version: number, status },
    },
  );

/** A version may not answer. */
export const gatesFailed = (action: string, name: string, number: number, failed: readonly Check[]): ToolError =>
  new ToolError(
    `Cannot ${action} version ${number} of ${quote(name)}: it has not passed ${failed.map(told).join("; ")}. The one that answers goes on answering. Mend that and ingest again, or promote it with force.`,
    {
      code: GATES_FAILED,
      details: { collection: name, version: number, failed: failed.map((check) => ({ ...check })) },
    },
  );

/** The code of a promotion that its gates have refused. */
export const GATES_FAILED = "GATES_FAILED";

const told = ({ name, value, threshold, note }: Check): string =>
  `"${name}" (${value}${threshold === null ? "" : `, at least ${threshold} is asked for`}${note === undefined ? "" : `; ${note}`})`;

/** Somebody is at work on the collection. */
export const collectionBusy = (
  action: string,
  name: string,
  holder: { who: string; since: string; stage: string },
): ToolError =>
  new ToolError(
    `Cannot ${action} ${quote(name)}: ${holder.who} has been ingesting into it since ${holder.since} (${holder.stage}). Wait until that has ended, or cancel it.`,
    { code: "CONFLICT", details: { collection: name, ...holder } },
  );

/** The documents of the collection are those of another folder. */
export const otherFolderError = (name: string, before: string, here: string): ToolError =>
  new ToolError(
    `Cannot ingest into ${quote(name)}: its documents were taken from ${before}, and those of ${here} would take their place. Ingest into another collection, or start in that folder.`,
    { code: "CONFLICT", details: { collection: name, folder: before } },
  );

/** Nobody knows of which folder the documents of the collection are, and nothing says of this one. */
export const otherDocumentsError = (name: string, here: string): ToolError =>
  new ToolError(
    `Cannot ingest into ${quote(name)}: none of its documents was found in ${here}, and they would go. Ingest into another collection, or name one of them too if they are of this folder.`,
    { code: "CONFLICT", details: { collection: name } },
  );

const quote = (text: string): string => JSON.stringify(cut(text));

const cut = (text: string): string => (text.length > 120 ? `${text.slice(0, 120)}…` : text);
