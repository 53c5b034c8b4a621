import { type PackHost, ToolError } from "@toolwright/engine";
import { nearest } from "@toolwright/kit/text";
import { findCollection, findVersion } from "../collections/find-collection.js";
import type { KnowledgeContext } from "../knowledge-context.js";
import { parseFilters } from "../search/filters.js";
import { noteChange } from "../store/knowledge-store.js";
import { type BoundDefaults, type BoundTool, type Operation, readBoundTools } from "./bound-tools.js";

/** The options of a new tool. */
export interface RegisterToolOptions {
  readonly name: string;
  readonly collection?: string | undefined;
  readonly version?: number | undefined;
  readonly operation?: Operation | undefined;
  readonly description?: string | undefined;
  /** Not validated yet. */
  readonly defaults?: unknown;
}

/** The state of a bound tool after a change. */
export interface BoundState {
  readonly name: string;
  readonly collection: string;
  readonly version: number | null;
  readonly operation: Operation;
  readonly status: (typeof STATUS)[keyof typeof STATUS] | "active";
}

const STATUS = { activate: "active", deactivate: "inactive", forget: "forgotten" } as const;

const NAME = /^[A-Za-z0-9_-]{1,64}$/;
/** The definition of each tool costs tokens in every client. */
const MAX_TOOLS = 50;
const MAX_DESCRIPTION = 1000;

/** Binds a new tool to a collection. It is active at once. */
export async function registerTool(
  context: KnowledgeContext,
  host: Pick<PackHost, "tools">,
  options: RegisterToolOptions,
): Promise<BoundState> {
  const { name, collection: wanted, operation = "search" } = options;
  if (!NAME.test(name)) throw invalidName(name);
  if (wanted === undefined) throw invalid('Cannot register a tool without "collection".');
  const defaults = parseDefaults(options.defaults);
  if ((options.description ?? "").length > MAX_DESCRIPTION)
    throw invalid(`Cannot register the tool: its description has more than ${MAX_DESCRIPTION} characters.`);
  const store = await context.store();
  const at = context.now();
  return store.write(async (sql) => {
    const collection = await findCollection(sql, wanted);
    if (options.version !== undefined) await findVersion(sql, collection, options.version);
    const bound = await readBoundTools(sql);
    const taken = new Set([...bound.map((each) => each.bound.name), ...namesOf(host)]);
    if (taken.has(name)) throw nameTaken(name, freeName(name, taken));
    if (bound.length >= MAX_TOOLS)
      throw new ToolError(`Cannot register more than ${MAX_TOOLS} tools. Forget one first.`, { code: "TOO_LARGE" });
    const description = options.description ?? describe(operation, collection.name, collection.description);
    await sql.run(
      "INSERT INTO bound_tools (name, collection, version, operation, description, defaults, is_active, created_at) VALUES (?, ?, ?, ?, ?, ?, 1, ?)",
      name,
      collection.id,
      options.version ?? null,
      operation,
      description,
      JSON.stringify(defaults),
      at,
    );
    await noteChange(sql, { at, collection: collection.name, kind: "tools", note: name });
    return toState({ name, collection: wanted, version: options.version, operation }, "active");
  });
}

/** Switches a bound tool on or off, or deletes it. */
export async function switchTool(
  context: KnowledgeContext,
  name: string,
  action: keyof typeof STATUS,
): Promise<BoundState> {
  const store = await context.store();
  const at = context.now();
  return store.write(async (sql) => {
    const all = (await readBoundTools(sql)).map((each) => each.bound);
    const bound = all.find((each) => each.name === name);
    if (bound === undefined)
      throw toolNotFound(
        name,
        all.map((each) => each.name),
      );
    if (action === "forget") await sql.run("DELETE FROM bound_tools WHERE name = ?", name);
    else await sql.run("UPDATE bound_tools SET is_active = ? WHERE name = ?", action === "activate" ? 1 : 0, name);
    await noteChange(sql, { at, collection: bound.collection, kind: "tools", note: name });
    return toState(bound, STATUS[action]);
  });
}

const toState = (
  { name, collection, version, operation }: Omit<BoundTool, "description" | "defaults">,
  status: BoundState["status"],
): BoundState => ({ name, collection, version: version ?? null, operation, status });

const describe = (operation: Operation, name: string, description: string): string =>
  `${operation === "search" ? "Finds passages in" : "Answers with citations from"} ${name}${description === "" ? "." : `: ${description}`}`;

/** The names and aliases of all tools of the server. */
const namesOf = ({ tools }: Pick<PackHost, "tools">): readonly string[] =>
  tools.flatMap(({ name, aliases = [] }) => [name, ...aliases]);

function freeName(name: string, taken: ReadonlySet<string>): string {
  for (let number = 2; ; number += 1) {
    const free = `${name.slice(0, 58)}_${number}`;
    if (!taken.has(free)) return free;
  }
}

const MODES = ["hybrid", "words", "vector"];
const MAX_TOP_K = 100;

const RULES: Readonly<Record<keyof BoundDefaults, (value: unknown) => boolean>> = {
  top_k: (value) => Number.isInteger(value) && Number(value) >= 1 && Number(value) <= MAX_TOP_K,
  mode: (value) => MODES.includes(String(value)),
  filters: (value) => parseFilters(value) !== undefined,
};

/** Validates the default arguments of a tool. */
function parseDefaults(input: unknown): BoundDefaults {
  for (const [name, value] of Object.entries(input ?? {}))
    if (!Object.hasOwn(RULES, name) || !RULES[name as keyof BoundDefaults](value))
      throw new ToolError(
        `Invalid default ${JSON.stringify(name.slice(0, 100))}. Defaults are top_k (1 to ${MAX_TOP_K}), mode (${MODES.join(", ")}) and filters.`,
        { code: "INVALID_ARGUMENT", details: { argument: `defaults.${name.slice(0, 100)}` } },
      );
  return input ?? {};
}

const invalid = (message: string): ToolError => new ToolError(message, { code: "INVALID_ARGUMENT" });

function invalidName(name: string): ToolError {
  const cleaned = name.replaceAll(/[^A-Za-z0-9_-]+/g, "_").slice(0, 64);
  const suggestion = NAME.test(cleaned) ? cleaned : "ask_docs";
  return new ToolError(
    `Cannot name a tool ${JSON.stringify(name.slice(0, 100))}: a name consists of 1 to 64 letters, digits, "_" and "-", such as ${JSON.stringify(suggestion)}.`,
    { code: "INVALID_ARGUMENT", details: { suggestion } },
  );
}

const nameTaken = (name: string, suggestion: string): ToolError =>
  new ToolError(`The tool ${JSON.stringify(name)} exists. ${JSON.stringify(suggestion)} is free.`, {
    code: "ALREADY_EXISTS",
    details: { name, suggestion },
  });

function toolNotFound(name: string, known: readonly string[]): ToolError {
  const suggestion = nearest(name, known);
  const next =
    suggestion !== undefined
      ? ` Did you mean ${JSON.stringify(suggestion)}?`
      : known.length === 0
        ? ""
        : ` The bound tools are ${known.join(", ")}.`;
  return new ToolError(`There is no bound tool ${JSON.stringify(name.slice(0, 100))}.${next}`, {
    code: "NOT_FOUND",
    details: { name: name.slice(0, 100), ...(suggestion !== undefined && { suggestion }) },
  });
}
