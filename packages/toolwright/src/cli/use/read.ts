import type { JsonObject } from "@toolwright/engine";
import {
  type Client,
  type ReadResourceContents,
  type ReadResourceResult,
  ResponseError,
} from "@toolwright/engine/client";
import { type CommandContext, Failure, print, sizeOf, UsageError, writeJson } from "@toolwright/kit/cli";
import { checkWritable, Report, say, writeOut, writeStdout } from "@toolwright/kit/terminal";
import { clientOptionsFor, withClient } from "./client-session.js";
import { connectionTo } from "./find-server.js";
import { readLists, showLists } from "./lists.js";
import { nearestNames } from "./nearest-names.js";
import { readServerChoice } from "./server-choice.js";
import type { ServerInput } from "./server-options.js";

interface ReadInput extends ServerInput {
  readonly server: string | undefined;
  readonly uri: string | undefined;
  readonly output: string | undefined;
  readonly json: boolean;
}

/** Reads one resource of a server and writes its contents: text, or bytes as they are. */
export async function runRead(input: ReadInput, ctx: CommandContext): Promise<void> {
  const words = [input.server, input.uri].filter((word) => word !== undefined);
  const { way, rest } = readServerChoice(words, input, process.env);
  const [uri, extra] = rest;
  if (extra !== undefined) throw new UsageError(`Unexpected argument "${extra}"`);
  const { output, json } = input;
  if (output !== undefined) checkWritable(output);
  const report = new Report(process.stderr, input.quiet);
  const connection = await connectionTo(way, report);
  await withClient(connection, report, clientOptionsFor(ctx, report, process.stdin.isTTY), async (client, signal) => {
    if (uri === undefined) {
      const resources = await readLists(client, "resources", report, signal);
      const templates = await readLists(client, "templates", report, signal);
      return say(showLists({ ...resources, ...templates }, ctx.screen));
    }
    const result = await read(client, uri, signal);
    const text = json ? `${writeJson(result as unknown as JsonObject)}\n` : undefined;
    if (output !== undefined) {
      writeOut(output, text ?? bytesOf(result));
      return report.aside(`Written: ${output}`);
    }
    return text === undefined ? write(uri, result) : print(text);
  });
}

async function read(client: Client, uri: string, signal: AbortSignal): Promise<ReadResourceResult> {
  try {
    return await client.readResource(uri, { signal });
  } catch (error) {
    if (!(error instanceof ResponseError)) throw error;
    const near = await nearResources(client, uri, signal);
    throw new Failure(`The server refused to read ${uri}: ${error.message}${near}`, 1, error);
  }
}

/** Bytes are not written to a terminal. */
function write(uri: string, { contents }: ReadResourceResult): Promise<void> {
  if (!process.stdout.isTTY) return writeStdout(bytesOf({ contents }));
  const bytes = contents.find(({ blob }) => blob !== undefined);
  if (bytes === undefined) return print(contents.map(({ text = "" }) => text).join("\n"));
  const size = sizeOf(bytes.blob);
  const what = [bytes.mimeType, size].filter((word) => word !== undefined).join(", ");
  throw new Failure(`${uri} is binary (${what}), which a terminal cannot show. Add --output FILE`, 2);
}

/** The contents of a resource, concatenated. */
function bytesOf({ contents }: ReadResourceResult): Buffer {
  return Buffer.concat(contents.map(toBytes));
}

const toBytes = ({ text, blob }: ReadResourceContents): Buffer =>
  blob === undefined ? Buffer.from(text ?? "", "utf8") : Buffer.from(blob, "base64");

/** Resources and templates with a similar URI, as the end of an error message; empty if there are none. */
async function nearResources(client: Client, uri: string, signal: AbortSignal): Promise<string> {
  const resources = await orNone(client.listResources({ signal }));
  const templates = await orNone(client.listResourceTemplates({ signal }));
  const near = nearestNames(
    uri,
    resources.map((resource) => resource.uri),
  ).all;
  const templatesNear = nearTemplates(
    uri,
    templates.map(({ uriTemplate }) => uriTemplate),
  );
  const all = [...near, ...templatesNear];
  if (all.length === 0) return resources.length + templates.length === 0 ? ". The server lists no resources" : "";
  return `; did you mean ${all.slice(0, MAX_SUGGESTIONS).join(" or ")}?`;
}

const MAX_SUGGESTIONS = 3;

/** A list that the server refuses is empty. */
async function orNone<Each>(list: Promise<readonly Each[]>): Promise<readonly Each[]> {
  try {
    return await list;
  } catch (error) {
    if (error instanceof ResponseError) return [];
    throw error;
  }
}

/** The templates that a URI almost matches, with the values of their variables. */
export function nearTemplates(uri: string, templates: readonly string[]): readonly string[] {
  return templates.filter((template) => {
    const parts = template.split("/");
    // A value says nothing of whether the rest is near.
    const given = uri.split("/").map((part, at) => (/^\{[^}]*\}$/.test(parts[at] ?? "") ? "" : part));
    const filled = parts.map((part, at) => (part.includes("{") ? fill(part, given[at] ?? "") : part));
    return nearestNames(given.join("/"), [filled.join("/")]).only !== undefined;
  });
}

/** Fills in a part such as `{name}.txt` with a value from the URI. */
function fill(part: string, given: string): string {
  const [, before = "", after = ""] = /^([^{]*)\{.*\}([^}]*)$/.exec(part) ?? [];
  const from = given.startsWith(before) ? before.length : 0;
  const to = given.endsWith(after) ? given.length - after.length : given.length;
  return `${before}${given.slice(from, to)}${after}`;
}
