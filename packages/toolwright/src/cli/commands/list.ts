import type { JsonObject } from "@toolwright/engine";
import { print, UsageError, writeJson } from "@toolwright/kit/cli";
import { Report, say } from "@toolwright/kit/terminal";
import { converse } from "../conversation.js";
import { readWay } from "../target.js";
import { findReach } from "../use/find-reach.js";
import { listKnown } from "../use/list-known.js";
import { lookOf } from "../use/look.js";
import { didYouMean, nearOf } from "../use/near.js";
import { KINDS, type Kind, readOffers } from "../use/offers.js";
import { showOffers, showServer } from "../use/show-offers.js";
import { speakerFor } from "../use/speaker.js";

const OPTIONS = { "--json": {}, "--quiet": {} } as const;

/** Lists what a server has or, where none is named, the servers that clients know. */
export async function listServer(words: readonly string[], version: string): Promise<void> {
  if (words.every((word) => word === "--json" || word === "--quiet")) return listKnown(words.includes("--json"));
  const { way, given, plain } = readWay<keyof typeof OPTIONS>(words, OPTIONS, process.env);
  const kind = readKind(plain);
  const report = new Report(process.stderr, given["--quiet"] !== undefined);
  const reach = await findReach(way, report);
  // Servers may have other tools for clients that can be asked, and a call can be.
  await converse(reach, report, speakerFor(version, report, process.stdin.isTTY), async (client, signal) => {
    const offers = await readOffers(client, kind, report, signal);
    const { info, revision, capabilities, instructions } = client.server;
    if (given["--json"]) {
      const server = { ...info, revision, capabilities, ...(instructions !== undefined && { instructions }) };
      return print(writeJson({ server, ...offers } as unknown as JsonObject));
    }
    const look = lookOf(process.stdout, process.env);
    const shown = showOffers(offers, look);
    return say(kind === undefined ? [showServer(client.server, look), ...(shown ? [shown] : [])].join("\n\n") : shown);
  });
}

function readKind([word, extra]: readonly string[]): Kind | undefined {
  if (extra !== undefined) throw new UsageError(`"${extra}" is unknown`);
  if (word === undefined) return undefined;
  const kind = KINDS.find((each) => each === word);
  if (kind !== undefined) return kind;
  const meant = didYouMean(nearOf(word, KINDS));
  throw new UsageError(`"${word}" is no list${meant || `; there are ${KINDS.join(", ")}`}`);
}
