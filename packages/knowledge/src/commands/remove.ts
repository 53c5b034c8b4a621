import { Failure, UsageError } from "@toolwright/kit/cli";
import { say, sayJson } from "@toolwright/kit/terminal";
import { deleteCollection } from "../collections/create-collection.js";
import { readCollectionStats } from "../collections/stats.js";
import type { Bench, Deed } from "./bench.js";
import { count } from "./words.js";

/** `toolwright kb delete`: takes a collection away, after a question where somebody can be asked. */
export const remove: Deed = async (bench) => {
  const { base, options, words, screen } = bench;
  const [name = ""] = words;
  if (options["--yes"] === undefined) await agree(bench, name);
  const deleted = await deleteCollection(base, name);
  if (options["--json"]) return sayJson(deleted);
  if (options["--quiet"]) return;
  const { versions, documents } = deleted;
  await say(
    `${screen.paint.green("✓")} Deleted ${screen.paint.bold(name)}: ${count(versions, "version")}, ${count(documents, "document")}`,
  );
};

/** Throws where nobody says yes. */
async function agree({ base, screen: { paint } }: Bench, name: string): Promise<void> {
  if (!(process.stdin.isTTY && process.stderr.isTTY))
    throw new UsageError("kb delete needs --yes where nobody can be asked");
  const { version, versions } = await readCollectionStats(base, name);
  const what = `${count(versions, "version")}, ${count(version?.documents ?? 0, "document")}`;
  process.stderr.write(`${paint.bold(name)}  ${what}; the files themselves stay\n`);
  const { openLineReader } = await import("@toolwright/kit/terminal/line-reader.js");
  const stop = new AbortController();
  const interrupt = (): void => stop.abort();
  process.once("SIGINT", interrupt);
  const lines = openLineReader(stop.signal);
  try {
    const answer = await lines.ask("Delete it? (yes or no) ");
    if (stop.signal.aborted) throw new Failure("Interrupted; nothing was deleted", 130);
    if (!/^y(?:es)?$/i.test(answer?.trim() ?? "")) throw new Failure("Nothing was deleted", 1);
  } finally {
    lines.close();
    process.removeListener("SIGINT", interrupt);
  }
}
