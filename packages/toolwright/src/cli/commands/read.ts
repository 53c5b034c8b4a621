import type { JsonObject } from "@toolwright/engine";
import {
  type Client,
  type ReadResourceContents,
  type ReadResourceResult,
  ResponseError,
} from "@toolwright/engine/client";
import { Failure, print, sizeOf, UsageError, writeJson } from "@toolwright/kit/cli";
import { checkWritable, Report, say, writeOut, writeStdout } from "@toolwright/kit/terminal";
import { converse } from "../conversation.js";
import { readWay } from "../target.js";
import { findReach } from "../use/find-reach.js";
import { lookOf } from "../use/look.js";
import { nearResources } from "../use/near-resource.js";
import { readOffers } from "../use/offers.js";
import { showOffers } from "../use/show-offers.js";
import { speakerFor } from "../use/speaker.js";

const OPTIONS = { "--json": {}, "--output": { value: "a file" }, "--quiet": {} } as const;

/** Reads one resource of any server and writes what it holds: text, or bytes as they are. */
export async function readResource(words: readonly string[], version: string): Promise<void> {
  const { way, given, plain } = readWay<keyof typeof OPTIONS>(words, OPTIONS, process.env);
  const [uri, extra] = plain;
  if (extra !== undefined) throw new UsageError(`"${extra}" is unknown`);
  const file = given["--output"]?.[0];
  if (file !== undefined) checkWritable(file);
  const report = new Report(process.stderr, given["--quiet"] !== undefined);
  const reach = await findReach(way, report);
  await converse(reach, report, speakerFor(version, report, process.stdin.isTTY), async (client, signal) => {
    if (uri === undefined) {
      const resources = await readOffers(client, "resources", report, signal);
      const templates = await readOffers(client, "templates", report, signal);
      return say(showOffers({ ...resources, ...templates }, lookOf(process.stdout, process.env)));
    }
    const result = await read(client, uri, signal);
    const text = given["--json"] && `${writeJson(result as unknown as JsonObject)}\n`;
    if (file !== undefined) {
      writeOut(file, text ?? bytesOf(result));
      return report.aside(`Written: ${file}`);
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

/** A terminal is spared bytes; anything else gets them as they are. */
function write(uri: string, { contents }: ReadResourceResult): Promise<void> {
  if (!process.stdout.isTTY) return writeStdout(bytesOf({ contents }));
  const bytes = contents.find(({ blob }) => blob !== undefined);
  if (bytes === undefined) return print(contents.map(({ text = "" }) => text).join("\n"));
  const size = sizeOf(bytes.blob);
  const what = [bytes.mimeType, size].filter((word) => word !== undefined).join(", ");
  throw new Failure(`${uri} holds bytes (${what}), which a terminal cannot show. Add --output FILE`, 2);
}

/** The parts of a resource one after the other. */
function bytesOf({ contents }: ReadResourceResult): Buffer {
  return Buffer.concat(contents.map(toBytes));
}

const toBytes = ({ text, blob }: ReadResourceContents): Buffer =>
  blob === undefined ? Buffer.from(text ?? "", "utf8") : Buffer.from(blob, "base64");
