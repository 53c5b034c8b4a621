import { type CommandContext, UsageError } from "@toolwright/kit/cli";
import { nearest } from "@toolwright/kit/text";
import type { Deed } from "./bench.js";
import { DEEDS, SYNONYMS } from "./deeds.js";
import { list, next } from "./list.js";
import { readTaskWords } from "./options.js";
import { withDesk } from "./with-desk.js";

type Name = keyof typeof DEEDS;

/** How each is brought; those that are asked for less often are not even read. */
const LOADERS: Readonly<Record<Name, () => Deed | Promise<Deed>>> = {
  list: () => list,
  next: () => next,
  add: async () => (await import("./add.js")).add,
  show: async () => (await import("./show.js")).show,
  edit: async () => (await import("./change.js")).edit,
  start: async () => (await import("./change.js")).start,
  done: async () => (await import("./change.js")).done,
  fail: async () => (await import("./change.js")).fail,
  block: async () => (await import("./blocking.js")).block,
  unblock: async () => (await import("./blocking.js")).unblock,
  rm: async () => (await import("./remove.js")).remove,
  tree: async () => (await import("./tree.js")).tree,
  claim: async () => (await import("./claim.js")).claim,
  release: async () => (await import("./claim.js")).release,
  search: async () => (await import("./search.js")).search,
  history: async () => (await import("./history.js")).history,
  undo: async () => (await import("./undo.js")).undo,
  check: async () => (await import("./check.js")).check,
  export: async () => (await import("./transfer.js")).exportAll,
  import: async () => (await import("./transfer.js")).importAll,
};

/** Does what follows `task`: keeps the tasks that people and agents share. */
export async function runTask([name, ...words]: readonly string[], context: CommandContext): Promise<void> {
  if (name === "complete-ids") return (await import("./complete-ids.js")).completeIds(words, context);
  if (name === undefined) throw new UsageError(`task needs one of ${Object.keys(DEEDS).join(", ")}`);
  if (!isName(name)) throw new UsageError(unknownDeed(name));
  const {
    takes,
    words: [least, most],
    ...deed
  } = DEEDS[name];
  const { options, plain } = readTaskWords(name, words, takes);
  if (plain.length < least) throw new UsageError(`task ${name} needs ${"needs" in deed ? deed.needs : "a word"}`);
  const stray = plain[most];
  if (stray !== undefined)
    throw new UsageError(
      most === 0 ? `task ${name} takes no "${stray}"` : `task ${name} takes one word; "${stray}" is one too many`,
    );
  await withDesk(options, plain, await LOADERS[name](), context, "isFirst" in deed);
}

const isName = (name: string): name is Name => Object.hasOwn(DEEDS, name);

function unknownDeed(name: string): string {
  const meant = Object.hasOwn(SYNONYMS, name) ? SYNONYMS[name] : nearest(name, Object.keys(DEEDS));
  return `"task ${name}" is unknown${meant === undefined ? "" : `; did you mean ${meant}?`}`;
}
