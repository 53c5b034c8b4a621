import { ToolError } from "@toolwright/engine";
import type { Check } from "../evaluation/gates.js";

/** There is no such collection. */
export const collectionNotFound = (name: string, suggestion: string | undefined): ToolError =>
  new ToolError(
    `There is no collection ${quote(name)}.${suggestion === undefined ? "" : ` Did you mean ${quote(suggestion)}?`}`,
    {
      code: "NOT_FOUND",
      details: { collection: shorten(name), ...(suggestion !== undefined && { suggestion }) },
      ...(suggestion === undefined && { hint: { action: "list the collections", tool: "kb_list_collections" } }),
    },
  );

/** The name is not valid for a collection. */
export const invalidCollectionName = (name: string): ToolError =>
  new ToolError(`Cannot name a collection ${quote(name)}: a name consists of 1 to 100 letters, digits, "_" and "-".`, {
    code: "INVALID_ARGUMENT",
    details: { collection: shorten(name) },
  });

/** A collection of that name exists. */
export const collectionExists = (name: string, suggestion: string): ToolError =>
  new ToolError(
    `Cannot create ${quote(name)}: the collection exists. Ingest into it, or choose another name such as ${quote(suggestion)}.`,
    { code: "ALREADY_EXISTS", details: { collection: name, suggestion } },
  );

/** The collection has no such version. */
export const versionNotFound = (name: string, number: number, known: readonly number[]): ToolError =>
  new ToolError(
    `${quote(name)} has no version ${number}. ${known.length === 0 ? "Nothing has been ingested yet." : `Its versions are ${known.join(", ")}.`}`,
    { code: "NOT_FOUND", details: { collection: name, version: number, allowed: [...known] } },
  );

/** The collection has no active version. */
export const noActiveVersion = (name: string): ToolError =>
  new ToolError(`${quote(name)} has no active version. Ingest documents, or promote a version.`, {
    code: "CONFLICT",
    details: { collection: name },
  });

/** The status of the version does not allow the action. */
export const versionNotReady = (action: string, name: string, number: number, status: string): ToolError =>
  new ToolError(`Cannot ${action} version ${number} of ${quote(name)}: its status is "${status}".`, {
    code: "CONFLICT",
    details: { collection: name, version: number, status },
    hint: { action: "see which versions are ready", tool: "kb_versions", arguments: { collection: name } },
  });

/** The version did not pass its quality gates. */
export const gatesFailed = (action: string, name: string, number: number, failed: readonly Check[]): ToolError =>
  new ToolError(
    `Cannot ${action} version ${number} of ${quote(name)}: it failed ${failed.map(describeCheck).join("; ")}. The active version stays in use. Fix the documents and ingest again, or force the promotion.`,
    {
      code: GATES_FAILED,
      details: { collection: name, version: number, failed: failed.map((check) => ({ ...check })) },
    },
  );

/** The error code of `gatesFailed`. */
export const GATES_FAILED = "GATES_FAILED";

const describeCheck = ({ name, value, threshold, note }: Check): string =>
  `"${name}" (${value}${threshold === null ? "" : `, required: ${threshold}`}${note === undefined ? "" : `; ${note}`})`;

/** Another process ingests into the collection. */
export const collectionBusy = (
  action: string,
  name: string,
  holder: { readonly who: string; readonly since: string; readonly stage: string },
): ToolError =>
  new ToolError(
    `Cannot ${action} ${quote(name)}: ${holder.who} has been ingesting into it since ${holder.since} (${holder.stage}). Wait until it is done, or cancel it.`,
    { code: "CONFLICT", details: { collection: name, ...holder } },
  );

/** The documents of the collection belong to another folder. */
export const otherFolderError = (name: string, before: string, here: string): ToolError =>
  new ToolError(
    `Cannot ingest into ${quote(name)}: its documents are from ${before}, and those from ${here} would replace them. Use another collection, or start in that folder.`,
    { code: "CONFLICT", details: { collection: name, folder: before } },
  );

/** The folder of the collection is unknown, and none of its documents is in this one. */
export const otherDocumentsError = (name: string, here: string): ToolError =>
  new ToolError(
    `Cannot ingest into ${quote(name)}: none of its documents is in ${here}, so all would be removed. Use another collection, or include one of its documents if they belong to this folder.`,
    { code: "CONFLICT", details: { collection: name } },
  );

const quote = (text: string): string => JSON.stringify(shorten(text));

const shorten = (text: string): string => (text.length > 120 ? `${text.slice(0, 120)}…` : text);
