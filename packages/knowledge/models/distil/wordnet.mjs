// Every gloss of WordNet 3.1, after the words that it explains.
import { readPackage, WORDNET } from "./packages.mjs";

/** The glosses, in the order of WordNet's files. */
export async function readGlosses(sources, cache) {
  const files = new Map(
    (await readPackage(WORDNET, sources, cache)).map(({ name, bytes }) => [name, bytes.toString("latin1")]),
  );
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
