import { existsSync, readFileSync } from "node:fs";
import { rename, writeFile } from "node:fs/promises";
import path from "node:path";
import { type PackHost, type Tool, tool } from "@toolwright/engine";
import { READ } from "@toolwright/kit/pack";
import type { Sql, SqlRow, SqlStore } from "@toolwright/kit/storage";
import type { KnowledgeContext } from "../knowledge-context.js";
import type { SearchOptions } from "../search/search-types.js";
import { numberOf } from "../store/rows.js";

/** The operation of a bound tool. */
export type Operation = "search" | "answer";

/** Default arguments of a bound tool. */
export type BoundDefaults = Partial<Pick<SearchOptions, "top_k" | "filters" | "mode">>;

/** A tool that searches one collection. */
export interface BoundTool {
  readonly name: string;
  readonly collection: string;
  /** Undefined: the active version. */
  readonly version?: number | undefined;
  readonly operation: Operation;
  readonly description: string;
  readonly defaults: BoundDefaults;
}

/** A bound tool, and whether it is listed. */
export interface StoredTool {
  readonly bound: BoundTool;
  readonly isActive: boolean;
}

/** Reads all bound tools, including inactive ones. */
export async function readBoundTools(sql: Sql): Promise<readonly StoredTool[]> {
  const rows = await sql.all(
    `SELECT b.*, c.name AS collection_name FROM bound_tools b JOIN collections c ON c.id = b.collection
     WHERE c.name NOT LIKE '#%' ORDER BY b.created_at, b.name`,
  );
  return rows.map((row) => ({ bound: toBoundTool(row), isActive: Number(row["is_active"]) === 1 }));
}

function toBoundTool(row: SqlRow): BoundTool {
  const version = numberOf(row["version"]);
  return {
    name: String(row["name"]),
    collection: String(row["collection_name"]),
    ...(version !== null && { version }),
    operation: String(row["operation"]) as Operation,
    description: String(row["description"]),
    defaults: JSON.parse(String(row["defaults"])) as BoundDefaults,
  };
}

const FILE = "knowledge-tools.json";

interface ToolCache {
  readonly database: string;
  readonly tools: readonly BoundTool[];
}

/**
 * Reads the tools that were active when a process last used this state folder. They are listed at startup, before the database is
 * open.
 */
function readToolCache(state: string, database: string): readonly BoundTool[] {
  try {
    const cache = JSON.parse(readFileSync(path.join(state, FILE), "utf8")) as ToolCache;
    return cache.database === database && Array.isArray(cache.tools) ? cache.tools : [];
  } catch {
    // The file is missing or incomplete. The list is updated when the database opens.
    return [];
  }
}

/** Saves the active tools for the next start. */
async function writeToolCache(state: string, database: string, tools: readonly BoundTool[]): Promise<void> {
  const file = path.join(state, FILE);
  const own = `${file}.${process.pid}`;
  await writeFile(own, JSON.stringify({ database, tools } satisfies ToolCache), { mode: 0o600 });
  await rename(own, file);
}

/** Creates the callable tool for a bound tool. */
const createBoundTool = (context: KnowledgeContext, bound: BoundTool): Tool =>
  tool({
    name: bound.name,
    description: bound.description,
    toolset: "documents",
    input: {
      type: "object",
      properties: {
        query: { type: "string", minLength: 1, maxLength: 10_000, description: "What to look for." },
        top_k: {
          type: "integer",
          minimum: 1,
          maximum: 100,
          default: topKOf(bound),
          description: "How many passages.",
        },
      },
      required: ["query"],
      additionalProperties: false,
    },
    annotations: READ,
    meta: { "toolwright/collection": bound.collection },
    async run(input, call) {
      const { collection: name, version, defaults, operation } = bound;
      const options = { ...defaults, ...input, collections: [{ name, version }], signal: call.signal };
      if (operation === "answer") {
        const { answer } = await import("../answers/answer.js");
        return { ...(await answer(context, options)) };
      }
      const { search } = await import("../search/search.js");
      return { ...(await search(context, options)) };
    },
  });

const topKOf = ({ defaults, operation }: BoundTool): number => defaults.top_k ?? (operation === "answer" ? 8 : 10);

/** The delay before the database is opened or, if it does not exist, checked for again. */
const FIRST_CHECK_MS = 300;
const CHECK_INTERVAL_MS = 5000;
/** The delay before a retry when the server does not list the pack yet. */
const RETRY_MS = 20;

/** Keeps the bound tools of a server in sync with the database, including changes by other processes. */
export class BoundTools {
  readonly #context: KnowledgeContext;
  readonly #host: Pick<PackHost, "tools" | "addTool" | "removeTool" | "log">;
  readonly #isPackListed: () => boolean;
  readonly #listed = new Map<string, { readonly written: string; readonly tool: Tool }>();
  #database = "";
  #unwatch: (() => void) | undefined;
  #timer: NodeJS.Timeout | undefined;
  #last: Promise<void> = Promise.resolve();
  #listError: string | undefined;

  /** `isPackListed` returns whether the server lists the pack. A pack that is being replaced must not change the list. */
  constructor(
    context: KnowledgeContext,
    host: Pick<PackHost, "tools" | "addTool" | "removeTool" | "log">,
    isPackListed: () => boolean,
  ) {
    this.#context = context;
    this.#host = host;
    this.#isPackListed = isPackListed;
  }

  /** Lists the cached tools, and opens the database soon after to pick up changes by other processes. */
  restore(database: string): void {
    this.#database = database;
    for (const bound of readToolCache(this.#context.host.stateFolder, database))
      this.#listed.set(bound.name, this.#make(bound));
    this.#scheduleCheck(FIRST_CHECK_MS);
  }

  /** The tools that are currently listed. */
  get tools(): readonly Tool[] {
    return [...this.#listed.values()].map((listed) => listed.tool);
  }

  /** Why the list cannot be changed while the server runs; undefined if it can. */
  get listError(): string | undefined {
    return this.#listError;
  }

  /** Starts watching the database. */
  async start(store: SqlStore): Promise<void> {
    clearTimeout(this.#timer);
    this.#unwatch?.();
    this.#unwatch = store.watch(() => void this.sync(store));
    void this.sync(store);
  }

  /** Stops watching. Resolves when nothing reads the database any more. */
  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    this.#unwatch?.();
    this.#unwatch = undefined;
    await this.#last;
  }

  /** Updates the list from the database after pending updates. */
  sync(store: SqlStore): Promise<void> {
    this.#last = this.#last
      .then(() => this.#sync(store))
      .catch((error: unknown) =>
        this.#host.log({ level: "warning", message: "knowledge: cannot update the list of bound tools", error }),
      );
    return this.#last;
  }

  #scheduleCheck(afterMs: number): void {
    this.#timer = setTimeout(() => {
      const exists = this.#database.includes("://") || existsSync(this.#database);
      // A failure is reported by the next call that needs the database.
      if (exists) void this.#context.store().catch(() => undefined);
      else this.#scheduleCheck(CHECK_INTERVAL_MS);
    }, afterMs).unref();
  }

  async #sync(store: SqlStore): Promise<void> {
    if (this.#unwatch === undefined) return;
    if (!this.#isPackListed()) {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => void this.sync(store), RETRY_MS).unref();
      return;
    }
    const all = await store.read(readBoundTools);
    const wanted = new Map(all.filter(({ isActive }) => isActive).map(({ bound }) => [bound.name, bound] as const));
    if (!this.#isPackListed()) return;
    let isChanged = false;
    for (const [name, { written }] of this.#listed) {
      const bound = wanted.get(name);
      if (bound !== undefined && JSON.stringify(bound) === written) wanted.delete(name);
      else isChanged = this.#unlist(name) || isChanged;
    }
    for (const bound of wanted.values()) isChanged = this.#list(bound) || isChanged;
    if (isChanged) await writeToolCache(this.#context.host.stateFolder, this.#database, this.#bound());
  }

  #bound(): readonly BoundTool[] {
    return [...this.#listed.values()].map(({ written }) => JSON.parse(written) as BoundTool);
  }

  #make(bound: BoundTool): { readonly written: string; readonly tool: Tool } {
    return { written: JSON.stringify(bound), tool: createBoundTool(this.#context, bound) };
  }

  #unlist(name: string): boolean {
    return this.#change(() => {
      this.#host.removeTool(name);
      this.#listed.delete(name);
    });
  }

  #list(bound: BoundTool): boolean {
    const made = this.#make(bound);
    return this.#change(() => {
      this.#host.addTool(made.tool);
      this.#listed.set(bound.name, made);
    });
  }

  /** Changes the list. Returns false if the server cannot change its list or another tool has the name. */
  #change(action: () => void): boolean {
    try {
      action();
      return true;
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      this.#listError = error.message;
      this.#host.log({ level: "warning", message: "knowledge: cannot add or remove a bound tool", error });
      return false;
    }
  }
}
