import { choiceOf, numberOf, UsageError } from "@toolwright/kit/cli";
import { isObject } from "@toolwright/kit/json";
import { drawTable, remark, say, sayJson } from "@toolwright/kit/terminal";
import { nearest } from "@toolwright/kit/text";
import { readBoundTools, type StoredTool } from "../bound-tools/bound-tools.js";
import { type BoundState, registerTool, switchTool } from "../bound-tools/register-tool.js";
import type { Bench, Deed } from "./bench.js";
import { OPTIONS, type Options } from "./options.js";

const WORDS = ["list", "register", "activate", "deactivate", "forget"] as const;

/** `toolwright kb tool`: tools that servers have for one collection; they come and go without a restart. */
export const tool: Deed = async (bench) => {
  const [given = "", name] = bench.words;
  const word = WORDS.find((one) => one === given);
  if (word === undefined) {
    const meant = nearest(given, WORDS);
    throw new UsageError(
      `kb tool needs one of ${WORDS.join(", ")}${meant === undefined ? "" : `; did you mean ${meant}?`}`,
    );
  }
  if (word === "list") return list(bench);
  if (name === undefined) throw new UsageError(`kb tool ${word} needs the name of the tool`);
  if (word === "register") return tell(bench, await register(bench, name));
  const to = word === "activate" ? "active" : word === "deactivate" ? "inactive" : "forgotten";
  await tell(bench, await switchTool(bench.base, name, to));
};

async function list({ base, options, screen: { paint, width } }: Bench): Promise<void> {
  const store = await base.store();
  const all = await store.read(readBoundTools);
  if (options["--json"]) return sayJson({ tools: all.map(({ bound, isActive }) => ({ ...bound, active: isActive })) });
  if (options["--quiet"]) return all.length === 0 ? undefined : say(all.map(({ bound }) => bound.name).join("\n"));
  if (all.length === 0)
    return remark('No tools are bound. "toolwright kb tool register NAME -c COLLECTION" makes one.');
  const table = drawTable<StoredTool>(
    [
      { name: "tool", text: ({ bound }) => bound.name, paint: (shown) => paint.bold(shown) },
      {
        name: "state",
        text: ({ isActive }) => (isActive ? "active" : "off"),
        paint: (shown, { isActive }) => (isActive ? paint.green(shown) : paint.faint(shown)),
      },
      { name: "does", text: ({ bound }) => bound.operation },
      { name: "collection", text: ({ bound }) => bound.collection },
      { name: "version", text: ({ bound }) => String(bound.version ?? "what answers") },
      { name: "about", text: ({ bound }) => bound.description, gives: "words" },
    ],
    all,
    { width, head: paint.faint },
  );
  await say(table);
}

async function register({ base, options }: Bench, name: string): Promise<BoundState> {
  const [collection, another] = options["--collection"] ?? [];
  if (collection === undefined) throw new UsageError("kb tool register needs --collection: a tool asks one collection");
  if (another !== undefined)
    throw new UsageError("kb tool register takes one --collection: a tool asks one collection");
  if (name.startsWith("kb_")) throw new UsageError(`"${name}" is for tools of the pack itself; take another name`);
  // Which further names are taken is for each server to say: here there is none.
  return registerTool(
    base,
    { tools: [] },
    {
      name,
      collection,
      version: numberOf(options, "--version", 0),
      operation: choiceOf(options, "--operation", OPTIONS["--operation"].among),
      description: options["--description"]?.[0],
      defaults: defaultsOf(options),
    },
  );
}

function defaultsOf(options: Options): Readonly<Record<string, unknown>> | undefined {
  const [text] = options["--defaults"] ?? [];
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value;
  } catch {
    // What is no JSON is no object either.
  }
  throw new UsageError('--defaults needs an object of arguments, such as {"top_k":5}');
}

async function tell({ options, screen: { paint } }: Bench, state: BoundState): Promise<void> {
  if (options["--json"]) return sayJson(state);
  if (options["--quiet"]) return;
  const { name, status, operation, collection } = state;
  const said =
    status === "active"
      ? `${operation === "search" ? "searches" : "answers from"} ${collection} now, in every server that has this knowledge base`
      : status === "inactive"
        ? "is off; no server shows it"
        : "is forgotten";
  await say(`${paint.green("✓")} ${paint.bold(name)} ${said}`);
}
