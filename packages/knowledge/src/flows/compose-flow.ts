import { createHash } from "node:crypto";
import { ToolError } from "@toolwright/engine";
import { nearest } from "@toolwright/kit/text";
import type { FileCaller, KnowledgeContext } from "../knowledge-context.js";
import { BUILT_IN, checkFlow, type Flow, fill, getPath, suggestName } from "./flow.js";
import { runStep } from "./steps.js";

/** The flow to run, and its parameters. */
export interface FlowOptions {
  readonly flow_id?: string | undefined;
  readonly params?: Readonly<Record<string, unknown>> | undefined;
  /** A flow to save under its ID and run. */
  readonly flow?: Flow | undefined;
}

/** The result of a flow. */
export interface FlowResult {
  readonly flow_id: string;
  readonly results: unknown;
  /** The passages in the results of all steps, without duplicates. */
  readonly citations: readonly { readonly chunk_id: string; readonly anchor: string; readonly version: number }[];
  readonly warnings: readonly string[];
}

/** Runs the steps of a flow in order. */
export async function composeFlow(
  context: KnowledgeContext,
  call: FileCaller,
  options: FlowOptions,
): Promise<FlowResult> {
  const { flow, warnings } = await findFlow(context, options);
  const { params = {} } = options;
  checkParams(flow, params);
  const known: Record<string, unknown> = { ...flow.defaults, ...params };
  let last: unknown;
  for (const step of flow.steps) {
    call.signal.throwIfAborted();
    last = await runStep(context, call, step, fill(step.with, known) as Readonly<Record<string, unknown>>);
    known[step.id] = last;
  }
  const results = flow.give === undefined ? last : fill(flow.give, known);
  const outcomes = flow.steps.map(({ id }) => known[id]);
  return {
    flow_id: flow.id,
    results,
    citations: citationsIn(outcomes),
    warnings: [...warnings, ...warningsIn(outcomes)],
  };
}

function checkParams(flow: Flow, params: Readonly<Record<string, unknown>>): void {
  const { all, needed } = checkFlow(flow);
  const reject = (reason: string, details: { readonly argument: string } | { readonly expected: string[] }): never => {
    throw new ToolError(`Cannot run flow "${flow.id}": ${reason}`, { code: "INVALID_ARGUMENT", details });
  };
  const other = Object.keys(params).find((name) => !all.includes(name));
  if (other !== undefined) {
    const shown = other.slice(0, 66);
    reject(`it has no parameter ${JSON.stringify(shown)}. ${suggestName(other, all)}`, { argument: `params.${shown}` });
  }
  const missing = needed.filter((name) => params[name] === undefined);
  if (missing.length > 0) reject(`it requires ${missing.join(", ")} in "params".`, { expected: missing });
}

/** Lists all flows, built-in ones first. */
async function listFlows(context: KnowledgeContext): Promise<readonly Pick<Flow, "id" | "description">[]> {
  const store = await context.store();
  const rows = await store.read((sql) => sql.all("SELECT id, description FROM flows ORDER BY id"));
  return [
    ...BUILT_IN.map(({ id, description }) => ({ id, description })),
    ...rows.map((row) => ({ id: String(row["id"]), description: String(row["description"]) })),
  ];
}

async function findFlow(context: KnowledgeContext, { flow_id: id, flow }: FlowOptions) {
  if (flow === undefined) return { flow: await readFlow(context, id), warnings: [] };
  checkFlow(flow);
  if (BUILT_IN.some((each) => each.id === flow.id))
    throw new ToolError(`Cannot save flow "${flow.id}": a built-in flow has this ID. Use another ID.`, {
      code: "ALREADY_EXISTS",
    });
  if (context.settings.readOnly)
    return { flow, warnings: ["The flow was run but not saved: this server is read-only."] };
  await saveFlow(context, flow);
  return { flow, warnings: [] };
}

async function readFlow(context: KnowledgeContext, id: string | undefined): Promise<Flow> {
  const known = BUILT_IN.find((each) => each.id === id);
  if (known !== undefined) return known;
  const store = await context.store();
  const row =
    id === undefined ? undefined : await store.read((sql) => sql.get("SELECT steps FROM flows WHERE id = ?", id));
  if (row !== undefined) return JSON.parse(String(row["steps"])) as Flow;
  const all = (await listFlows(context)).map((each) => each.id);
  if (id === undefined)
    throw new ToolError(`Cannot run a flow: specify "flow_id" (${all.join(", ")}) or "flow".`, {
      code: "INVALID_ARGUMENT",
    });
  const near = nearest(id, all);
  const next = near === undefined ? `The flows are ${all.join(", ")}.` : `Did you mean "${near}"?`;
  throw new ToolError(`No flow has the ID ${JSON.stringify(id.slice(0, 100))}. ${next}`, {
    code: "NOT_FOUND",
    details: { flow_id: id.slice(0, 100), ...(near !== undefined && { suggestion: near }) },
  });
}

async function saveFlow(context: KnowledgeContext, flow: Flow): Promise<void> {
  const written = JSON.stringify(flow);
  const checksum = createHash("sha256").update(written).digest("hex");
  const store = await context.store();
  const at = context.now();
  await store.write((sql) =>
    sql.run(
      `INSERT INTO flows (id, description, steps, checksum, updated_at) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET description = excluded.description, steps = excluded.steps,
         checksum = excluded.checksum, updated_at = excluded.updated_at`,
      flow.id,
      flow.description ?? "",
      written,
      checksum,
      at,
    ),
  );
}

function citationsIn(outcomes: readonly unknown[]): FlowResult["citations"] {
  const found = new Map<string, FlowResult["citations"][number]>();
  for (const outcome of outcomes)
    for (const list of ["results", "citations"]) {
      const items = getPath(outcome, [list]);
      for (const item of Array.isArray(items) ? items : []) {
        const id = getPath(item, ["chunk_id"]);
        const anchor = getPath(item, ["citation", "anchor"]) ?? getPath(item, ["anchor"]);
        const version = getPath(item, ["version"]);
        if (typeof id === "string" && typeof anchor === "string" && typeof version === "number")
          found.set(id, { chunk_id: id, anchor, version });
      }
    }
  return [...found.values()];
}

const warningsIn = (outcomes: readonly unknown[]): readonly string[] =>
  [...new Set(outcomes.flatMap((outcome) => getPath(outcome, ["warnings"]) ?? []))].filter(
    (each) => typeof each === "string",
  );
