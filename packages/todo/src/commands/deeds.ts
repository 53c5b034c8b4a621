import type { Option } from "./options.js";

/** What a deed is told on the command line. */
interface DeedKind {
  readonly takes: readonly Option[];
  /** The words that it needs, in the words of a refusal; undefined = none. */
  readonly needs?: string;
  /** How many words it takes at least and at most. */
  readonly words: readonly [least: number, most: number];
  /** The words are ids of tasks. */
  readonly hasIds?: true;
  /** It is what makes the first task. */
  readonly isFirst?: true;
}

const ANY = Number.POSITIVE_INFINITY;
const SOME_IDS = { words: [1, ANY], needs: "the id of a task", hasIds: true } as const;

/** Every deed of `toolwright task`. */
export const DEEDS = {
  add: {
    takes: ["--priority", "--parent", "--after", "--context", "--done-file", "--done-command", "--quiet"],
    words: [1, ANY],
    needs: 'what is to be done, such as "Fix the parser"; - reads a task from each line of stdin',
    isFirst: true,
  },
  list: {
    takes: ["--status", "--parent", "--ready", "--all", "--limit", "--quiet"],
    words: [0, 0],
  },
  next: {
    takes: ["--limit", "--quiet"],
    words: [0, 0],
  },
  show: { takes: [], ...SOME_IDS },
  edit: {
    takes: [
      "--description",
      "--priority",
      "--parent",
      "--context",
      "--status",
      "--result",
      "--reason",
      "--done-file",
      "--done-command",
    ],
    ...SOME_IDS,
  },
  start: { takes: ["--reason"], ...SOME_IDS },
  done: { takes: ["--result", "--reason"], ...SOME_IDS },
  fail: { takes: ["--result", "--reason"], ...SOME_IDS },
  block: {
    takes: ["--reason"],
    words: [2, ANY],
    needs: "a task and those that it waits for",
    hasIds: true,
  },
  unblock: {
    takes: ["--reason"],
    words: [2, ANY],
    needs: "a task and those that it no longer waits for",
    hasIds: true,
  },
  rm: {
    takes: ["--cascade", "--yes", "--reason"],
    ...SOME_IDS,
  },
  tree: {
    takes: ["--depth", "--limit"],
    words: [0, 1],
    hasIds: true,
  },
  claim: {
    takes: ["--lease", "--quiet"],
    words: [0, 1],
    hasIds: true,
  },
  release: { takes: ["--reason"], ...SOME_IDS },
  search: {
    takes: ["--status", "--limit", "--quiet"],
    words: [1, ANY],
    needs: "words to look for",
  },
  history: {
    takes: ["--limit"],
    words: [0, 1],
    hasIds: true,
  },
  undo: { takes: ["--by", "--anyone", "--reason"], words: [0, 0] },
  check: { takes: [], ...SOME_IDS },
  export: { takes: [], words: [0, 1] },
  import: {
    takes: ["--on-conflict", "--dry-run"],
    words: [0, 1],
    isFirst: true,
  },
} as const satisfies Record<string, DeedKind>;

/** What people type who mean one of them. */
export const SYNONYMS: Readonly<Record<string, keyof typeof DEEDS>> = {
  ls: "list",
  new: "add",
  create: "add",
  get: "show",
  update: "edit",
  set: "edit",
  delete: "rm",
  remove: "rm",
  complete: "done",
  close: "done",
  finish: "done",
  reopen: "start",
  ready: "next",
  find: "search",
  log: "history",
};
