import { isObject, type Json, type JsonObject } from "../jsonrpc/json.js";
import { headerFault } from "../server/header-names.js";
import { mirroredArguments as findMirrored, type MirroredArgument, NAMED, valueAt } from "../server/mirrored.js";
import type { Headers } from "./channel.js";

/** Which arguments of a tool are repeated in headers. */
export type MirroredArguments = readonly MirroredArgument[];

/** The headers that repeat what a message is about, for whoever passes it on without reading it. */
export function mirror({ method, params }: JsonObject): Headers {
  if (typeof method !== "string") return {};
  const name = isObject(params) ? params[NAMED.get(method) ?? ""] : undefined;
  return { "mcp-method": method, ...(typeof name === "string" && { "mcp-name": toHeader(name) }) };
}

/** The headers for the arguments of a call. */
export function mirrorArguments(mirrored: MirroredArguments, given: JsonObject): Headers {
  const headers = mirrored.flatMap(({ path, key }): [string, string][] => {
    const value = valueAt(given, path);
    return value === undefined || value === null || typeof value === "object" ? [] : [[key, toHeader(String(value))]];
  });
  return Object.fromEntries(headers);
}

/** What a tool's input schema wants repeated; undefined = its annotations cannot stand, and the tool must not be called. */
export function mirroredArguments(schema: Json | undefined): MirroredArguments | undefined {
  if (!isObject(schema)) return [];
  return headerFault(schema) === undefined ? findMirrored(schema) : undefined;
}

/** A value that a header can carry; what is not plain ASCII, or would be read otherwise, goes as base64. */
function toHeader(value: string): string {
  const isPlain = /^(?:[!-~](?:[ -~]*[!-~])?)?$/.test(value) && !/^=\?base64\?.*\?=$/.test(value);
  return isPlain ? value : `=?base64?${Buffer.from(value).toString("base64")}?=`;
}
