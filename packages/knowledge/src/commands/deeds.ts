import type { Option } from "./options.js";

/** What a deed is told on the command line. */
interface DeedKind {
  readonly takes: readonly Option[];
  /** The words that it needs, in the words of a refusal; undefined = none. */
  readonly needs?: string;
  /** How many words it takes at least and at most. */
  readonly words: readonly [least: number, most: number];
  /** Its words are names of collections. */
  readonly hasNames?: true;
  /** It can be done where there is no knowledge base yet. */
  readonly isFirst?: true;
}

const ANY = Number.POSITIVE_INFINITY;
const NAMED = { needs: "the name of a collection", hasNames: true } as const;

/** How documents are searched. */
const SEARCH: readonly Option[] = [
  "--collection",
  "--version",
  "--limit",
  "--type",
  "--passages",
  "--since",
  "--until",
  "--metadata",
  "--min-score",
];

/** Every deed of `toolwright kb`. */
export const DEEDS = {
  ingest: {
    takes: [
      "--collection",
      "--metadata",
      "--chunk-size",
      "--chunk-overlap",
      "--keep-missing",
      "--no-promote",
      "--no-embed",
      "--force",
      "--dry-run",
    ],
    words: [1, ANY],
    needs: "files or folders, such as docs",
    isFirst: true,
  },
  search: {
    takes: [...SEARCH, "--mode", "--fusion", "--no-expand", "--explain"],
    words: [1, ANY],
    needs: "words to look for",
  },
  answer: { takes: SEARCH, words: [1, ANY], needs: "a question" },
  get: {
    takes: ["--collection", "--version", "--lines", "--outline"],
    words: [1, 1],
    needs: "the id of a document, which search shows",
  },
  cite: { takes: ["--format"], words: [1, 1000], needs: "the id of a passage, which search shows" },
  list: { takes: [], words: [0, 0] },
  stats: { takes: ["--version"], words: [0, 1], hasNames: true },
  create: {
    takes: ["--description", "--chunk-size", "--chunk-overlap"],
    words: [1, 1],
    needs: "a name",
    isFirst: true,
  },
  versions: { takes: [], words: [1, 1], ...NAMED },
  promote: { takes: ["--force"], words: [1, 2], ...NAMED },
  rollback: { takes: [], words: [1, 2], ...NAMED },
  pin: { takes: [], words: [1, 2], ...NAMED },
  unpin: { takes: [], words: [1, 1], ...NAMED },
  delete: { takes: ["--yes"], words: [1, 1], ...NAMED },
  evaluate: { takes: ["--questions", "--save", "--version", "--limit"], words: [1, 1], ...NAMED },
  export: {
    takes: ["--version", "--no-vectors"],
    words: [2, 2],
    needs: "the name of a collection and a file, such as docs docs.kbpack",
    hasNames: true,
  },
  import: { takes: ["--name"], words: [1, 1], needs: "a file that kb export has written", isFirst: true },
  tool: {
    takes: ["--collection", "--version", "--operation", "--description", "--defaults"],
    words: [1, 2],
    needs: "one of list, register, activate, deactivate, forget",
  },
  model: { takes: [], words: [1, 1], needs: "one of install, show", isFirst: true },
} as const satisfies Record<string, DeedKind>;

/** What people type who mean one of them. */
export const SYNONYMS: Readonly<Record<string, keyof typeof DEEDS>> = {
  add: "ingest",
  index: "ingest",
  update: "ingest",
  find: "search",
  query: "search",
  ask: "answer",
  show: "get",
  read: "get",
  resolve: "cite",
  ls: "list",
  collections: "list",
  info: "stats",
  new: "create",
  make: "create",
  history: "versions",
  activate: "promote",
  revert: "rollback",
  undo: "rollback",
  rm: "delete",
  remove: "delete",
  drop: "delete",
  eval: "evaluate",
  dump: "export",
  load: "import",
};
