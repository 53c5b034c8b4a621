import type { Requirement } from "./row.js";

/** Which files cite which row, in the order they were read. */
export type Citations = ReadonlyMap<string, readonly string[]>;

// A name ends with its ids in brackets: test("a request id is echoed with its type [RPC-03 TOOL-10]", …).
const citedInName = /\[([A-Z]{2,5}-\d[^\][\n"'`]*)\]["'`]/g;
// A test that does not run proves nothing, so its ids do not count.
const switchedOff = /\.(?:skip|todo)\(\s*(?:"[^"\n]*"|'[^'\n]*'|`[^`]*`)/g;
const citedInConversation = /^# cites:(.*)$/gm;

/** Finds the ids that one file cites: a test in its names, a conversation in its `# cites:` lines. */
export function readCitations(path: string, text: string): string[] {
  const lists = path.endsWith(".txt")
    ? text.matchAll(citedInConversation)
    : text.replaceAll(switchedOff, "").matchAll(citedInName);
  return [...lists].flatMap(([, list]) => (list ?? "").split(/[\s,]+/)).filter((id) => id !== "");
}

/** Puts the citations of all files together. */
export function collectCitations(files: Iterable<readonly [path: string, text: string]>): Citations {
  const citations = new Map<string, string[]>();
  for (const [path, text] of files) {
    for (const id of new Set(readCitations(path, text))) {
      const places = citations.get(id) ?? [];
      places.push(path);
      citations.set(id, places);
    }
  }
  return citations;
}

/** Says what is wrong between the rows and their citations, one line each. */
export function findFaults(requirements: readonly Requirement[], citations: Citations): string[] {
  const rows = new Set(requirements.map(({ id }) => id));
  const uncited = requirements
    .filter(({ id }) => !citations.has(id))
    .map(
      ({ id, revisions, transport, says }) =>
        `${id} is covered but cited by no test: ${says} (${revisions.join(" ")}; ${transport})`,
    );
  const wrong = [...citations]
    .filter(([id]) => !rows.has(id))
    .map(([id, places]) => `${id} is cited but is no row: ${places.join(", ")}`);
  return [...uncited, ...wrong];
}
