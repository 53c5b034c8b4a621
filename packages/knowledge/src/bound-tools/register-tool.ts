import { type PackHost, ToolError } from "@toolwright/engine";
import { nearest } from "@toolwright/kit/text";
import { findCollection, findVersion } from "../collections/find-collection.js";
import type { KnowledgeContext } from "../knowledge-context.js";
import { checkFilters } from "../search/filters.js";
import { noteChange } from "../store/knowledge-store.js";
import { type BoundDefaults, type BoundTool, type Operation, readBoundTools } from "./bound-tools.js";

/** What a new tool is. */
export interface RegisterToolOptions {
  readonly name: string;
  readonly collection: string;
  readonly version?: number | undefined;
  readonly operation?: Operation | undefined;
  readonly description?: string | undefined;
  /** Checked here: what a model or a person has written may be anything. */
  readonly defaults?: unknown;
}

/** What has become of a bound tool. */
export interface BoundState {
  readonly name: string;
  readonly collection: string;
  readonly version: number | null;
  readonly operation: Operation;
  readonly status: "active" | "inactive" | "forgotten";
}

const NAME = /^[A-Za-z0-9_-]{1,64}$/;
/** Each of them costs every client tokens. */
const MAX_TOOLS = 50;
const MAX_LENGTH = 1000;

/** Binds a tool to a collection. It is active at once. */
export async function registerTool(
  context: KnowledgeContext,
  host: Pick<PackHost, "tools">,
  options: RegisterToolOptions,
): Promise<BoundState> {
  const { name, operation = "search" } = options;
  if (!NAME.test(name)) throw wrongName(name);
  const defaults = parseDefaults(options.defaults);
  if ((options.description ?? "").length > MAX_LENGTH) throw tooLong();
  const store = await context.store();
  const at = context.now();
  return store.write(async (sql) => {
    const collection = await findCollection(sql, options.collection);
    if (options.version !== undefined) await findVersion(sql, collection, options.version);
    const bound = await readBoundTools(sql);
    const taken = new Set([...bound.map((each) => each.bound.name), ...namesOf(host)]);
    if (taken.has(name)) throw nameTaken(name, freeName(name, taken));
    if (bound.length >= MAX_TOOLS) throw tooMany();
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
    return stateOf({ ...options, operation, description, defaults }, "active");
  });
}

/** Switches a bound tool on or off, or forgets it. */
export async function switchTool(
  context: KnowledgeContext,
  name: string,
  to: "active" | "inactive" | "forgotten",
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
    if (to === "forgotten") await sql.run("DELETE FROM bound_tools WHERE name = ?", name);
    else await sql.run("UPDATE bound_tools SET is_active = ? WHERE name = ?", to === "active" ? 1 : 0, name);
    await noteChange(sql, { at, collection: bound.collection, kind: "tools", note: name });
    return stateOf(bound, to);
  });
}

const stateOf = ({ name, collection, version, operation }: BoundTool, status: BoundState["status"]): BoundState => ({
  name,
  collection,
  version: version ?? null,
  operation,
  status,
});

const describe = (operation: Operation, name: string, description: string): string =>
  `${operation === "search" ? "Finds passages in" : "Answers with citations from"} ${name}${description === "" ? "." : `: ${description}`}`;

/** Names that `tools/call` takes already. */
const namesOf = ({ tools }: Pick<PackHost, "tools">): readonly string[] =>
  tools.flatMap(({ name, aliases = [] }) => [name, ...aliases]);

function freeName(name: string, taken: ReadonlySet<string>): string {
  for (let number = 2; ; number += 1) {
    const free = `${name.slice(0, 58)}_${number}`;
    if (!taken.has(free)) return free;
  }
}

const wrongName = (name: string): ToolError => {
  const near = name.replaceAll(/[^A-Za-z0-9_-]+/g, "_").slice(0, 64);
  const suggestion = NAME.test(near) ? near : "ask_docs";
  return new ToolError(
    `Cannot use ${JSON.stringify(name.slice(0, 100))} as the name of a tool: clients take letters, digits, "_" and "-", 1 to 64 of them, such as ${JSON.stringify(suggestion)}.`,
    { code: "INVALID_ARGUMENT", details: { suggestion } },
  );
};

const nameTaken = (name: string, free: string): ToolError =>
  new ToolError(
    `Cannot register ${JSON.stringify(name)}: there is a tool of that name. ${JSON.stringify(free)} is free.`,
    {
      code: "ALREADY_EXISTS",
      details: { name, suggestion: free },
    },
  );

const tooMany = (): ToolError =>
  new ToolError(`Cannot register more than ${MAX_TOOLS} tools: forget one first (kb_deactivate_tool with "forget").`, {
    code: "TOO_LARGE",
  });

const tooLong = (): ToolError =>
  new ToolError(`Cannot register a tool whose description has more than ${MAX_LENGTH} characters: shorten it.`, {
    code: "INVALID_ARGUMENT",
  });

function toolNotFound(name: string, known: readonly string[]): ToolError {
  const near = nearest(name, known);
  const next =
    near !== undefined
      ? `Did you mean ${JSON.stringify(near)}?`
      : known.length === 0
        ? "There are none; kb_register_tool makes one."
        : `There are: ${known.join(", ")}.`;
  return new ToolError(`There is no bound tool ${JSON.stringify(name.slice(0, 100))}. ${next}`, {
    code: "NOT_FOUND",
    details: { name: name.slice(0, 100), ...(near !== undefined && { suggestion: near }) },
  });
}

const MODES = ["hybrid", "words", "vector"];
const MAX_TOP_K = 100;

const isTopK = (value: unknown): boolean => Number.isInteger(value) && Number(value) >= 1 && Number(value) <= MAX_TOP_K;

const RULES: Readonly<Record<keyof BoundDefaults, (value: unknown) => boolean>> = {
  top_k: isTopK,
  mode: (value) => MODES.includes(String(value)),
  filters: (value) => checkFilters(value) !== undefined,
};

/** Reads the arguments that a tool shall have by default, whose form no schema has told. */
export function parseDefaults(given: unknown): BoundDefaults {
  for (const [name, value] of Object.entries(given ?? {}))
    if (!Object.hasOwn(RULES, name) || !RULES[name as keyof BoundDefaults](value))
      throw new ToolError(
        `Cannot use ${JSON.stringify(name.slice(0, 100))} in "defaults": it takes top_k (1 to ${MAX_TOP_K}), mode (${MODES.join(", ")}) and filters.`,
        { code: "INVALID_ARGUMENT", details: { argument: `defaults.${name.slice(0, 100)}` } },
      );
  return given ?? {};
}
