import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { TOOL_PATHS } from "../file-policy/table.js";
import { BusyServer, type Message, type SocketClient } from "./busy-server.js";
import { exampleOf, HOSTILE_TEXTS, manyItems, manyMembers, type Slot, slotsOf, withValue } from "./hostile-values.js";
import { createWorkspace, type Workspace } from "./workspace.js";

/** The longest time that a request may hold up others, in CPU time of the main thread. */
const MAX_DELAY_MS = 250;
/** A delay is measured again, at most this often: garbage of earlier requests is collected in the time of others. */
const ATTEMPTS = 3;
/** How many requests of a list are measured together. */
const GROUP = 10;

/** The size of a hostile text that no schema allows, and of one that the default limit allows. */
const LONG = 1_000_000;
const ALLOWED = 65_536;
const ITEMS = 1000;
/** Those of the hostile texts that are sent in the size that no schema allows. All are refused in the same way: one is enough, except before a release. */
const LONG_TEXTS = new Set(
  process.env["TEST_TIER"] === "rest" ? ["same"] : ["same", "path", "yaml", "nested", "alternating"],
);
/** The size of a message that the server accepts. */
const MESSAGE = 9_000_000;

let workspace: Workspace;
let server: BusyServer;
let client: SocketClient;
let pinger: SocketClient;
let pinging: NodeJS.Timeout;
let lastPing: Promise<unknown> = Promise.resolve();

beforeAll(async () => {
  workspace = createWorkspace();
  // The command is echo, so that no case can do harm.
  server = new BusyServer(workspace.base, { "packs.workstation": { builds: true, commands: [["echo", "**"]] } });
  client = await server.connect();
  pinger = await server.connect();
  pinging = setInterval(() => void (lastPing = pinger.request("ping", {})), 200);
  await call("kb_create", { name: "a" });
  await call("kb_ingest", { collection: "a", texts: [{ name: "a.md", text: "# a\n\nA queue of jobs." }] });
  await server.longestDelay();
}, 60_000);

afterAll(() => {
  clearInterval(pinging);
  server.close();
  workspace.remove();
});

/** A request that may hold up others, and what it is. */
interface Case {
  readonly what: string;
  readonly method: string;
  readonly params: Message;
}

const call = (name: string, args: unknown, limitMs?: number): Promise<Message> =>
  client.request("tools/call", { name, arguments: args }, limitMs);

/** Sends requests one after the other, and returns those that held up others. They are measured one by one only if any of them did. */
async function findDelays(makeCases: () => Iterable<Case>): Promise<string[]> {
  const found: string[] = [];
  for (const { method, params } of makeCases()) await client.request(method, params, 5000);
  if ((await server.longestDelay()) > MAX_DELAY_MS)
    for (const { what, method, params } of makeCases()) {
      let delay = Number.POSITIVE_INFINITY;
      for (let attempt = 0; attempt < ATTEMPTS && delay > MAX_DELAY_MS; attempt += 1) {
        await client.request(method, params, 5000);
        delay = Math.min(delay, await server.longestDelay());
      }
      if (delay > MAX_DELAY_MS) found.push(`${what}: ${Math.round(delay)} ms`);
    }
  expect(await lastPing).not.toHaveProperty("cancelled");
  expect(server.ending).toBeUndefined();
  return found;
}

/** The same for a list, in small groups, so that few requests are repeated. */
async function findDelaysInGroups(cases: readonly Case[]): Promise<string[]> {
  const found: string[] = [];
  for (let at = 0; at < cases.length; at += GROUP) found.push(...(await findDelays(() => cases.slice(at, at + GROUP))));
  return found;
}

/** A call of each tool that gets beyond the validation of its arguments; for the others it is made from the schema. */
const CALLS: Readonly<Record<string, unknown>> = {
  generate_template: { resource_uri: "template://manifest/rust/cli", parameters: { project_name: "a" } },
  validate_template: { resource_uri: "template://manifest/rust/cli", parameters: { project_name: "a" } },
  scaffold_project: { toolchain: "rust", templates: ["manifest"], parameters: { project_name: "a" } },
  tmkb_query: { context: "a job queue" },
  tmkb_review: { texts: [{ path: "a.ts", text: "const a = 1;" }] },
};

/** Arguments that a tool accepts, as far as that can be told. */
function argumentsOf(name: string, schema: Message): unknown {
  const [argument, make] = Object.entries(TOOL_PATHS).find(([key]) => key.startsWith(`${name}.`)) ?? [];
  const isFolder = /\.(?:project_path|repository_path|cwd|workingDirectory)$/.test(argument ?? "");
  return CALLS[name] ?? make?.(isFolder ? "." : "readme.md") ?? exampleOf(schema);
}

function* casesOf(slot: Slot, base: unknown, toCase: (value: unknown, what: string) => Case): Generator<Case> {
  const put = (value: unknown, what: string): Case =>
    toCase(withValue(base, slot.position, value), `${slot.position.join(".")} ${what}`);
  if (slot.kind === "string") {
    for (const [what, textOf] of Object.entries(HOSTILE_TEXTS)) {
      if (LONG_TEXTS.has(what)) yield put(textOf(LONG), what);
      yield put(textOf(Math.min(slot.limit ?? ALLOWED, MESSAGE)), `${what}, within the limit`);
    }
  } else {
    const count = slot.limit ?? ITEMS;
    const many = slot.kind === "array" ? manyItems : manyMembers;
    for (const length of [8, Math.floor(MESSAGE / count)]) yield put(many(count, length), `${count} × ${length}`);
    yield put(many(count + 1, 8), `${count + 1}`);
  }
}

describe("nobody waits for", () => {
  test("a call of any tool with large and hostile arguments", async () => {
    const tools = await client.list<{ name: string; inputSchema: Message }>("tools/list", "tools");
    expect(tools.length).toBeGreaterThan(60);
    const cases = tools.flatMap(({ name, inputSchema }) => {
      const base = argumentsOf(name, inputSchema);
      return slotsOf(inputSchema).map(
        (slot) => () =>
          casesOf(slot, base, (args, what) => ({
            what: `${name} ${what}`,
            method: "tools/call",
            params: { name, arguments: args },
          })),
      );
    });
    const delays: string[] = [];
    for (const each of cases) delays.push(...(await findDelays(each)));
    expect(delays).toEqual([]);
  }, 600_000);

  test("a resource, its subscription and its completion", async () => {
    type Template = { readonly uriTemplate: string };
    const templates = await client.list<Template>("resources/templates/list", "resourceTemplates");
    expect(templates.length).toBeGreaterThan(4);
    const cases = templates.flatMap(({ uriTemplate }) => {
      const names = [...uriTemplate.matchAll(/\{\+?(\w+)\}/g)].map(([, name = ""]) => name);
      const ref = { type: "ref/resource", uri: uriTemplate };
      return names.flatMap((name) =>
        Object.entries(HOSTILE_TEXTS).flatMap(([what, textOf]): Case[] =>
          [LONG, ALLOWED].flatMap((length) => {
            const value = textOf(length);
            const uriWith = (text: string): string =>
              uriTemplate.replaceAll(/\{\+?(\w+)\}/g, (_, each) => (each === name ? text : "a"));
            const title = `${uriTemplate} ${name} ${what} ${length}`;
            const args = { argument: { name, value: "a" }, context: { arguments: { [name]: value } } };
            return [
              { what: `read ${title}`, method: "resources/read", params: { uri: uriWith(value) } },
              { what: `read encoded ${title}`, method: "resources/read", params: { uri: uriWith(encode(value)) } },
              { what: `subscribe ${title}`, method: "resources/subscribe", params: { uri: uriWith(value) } },
              { what: `complete ${title}`, method: "completion/complete", params: { ref, argument: { name, value } } },
              { what: `complete with ${title}`, method: "completion/complete", params: { ref, ...args } },
            ];
          }),
        ),
      );
    });
    expect(await findDelaysInGroups(cases)).toEqual([]);
  }, 300_000);

  test("a prompt and its completion", async () => {
    type Prompt = { readonly name: string; readonly arguments?: readonly { name: string; required?: boolean }[] };
    const prompts = await client.list<Prompt>("prompts/list", "prompts");
    expect(prompts.length).toBeGreaterThan(8);
    const cases = prompts.flatMap(({ name, arguments: args = [] }) => {
      const base = Object.fromEntries(args.filter(({ required }) => required).map((each) => [each.name, "a"]));
      const ref = { type: "ref/prompt", name };
      return args.flatMap((each) =>
        Object.entries(HOSTILE_TEXTS).flatMap(([what, textOf]): Case[] =>
          [LONG, ALLOWED].flatMap((length) => {
            const value = textOf(length);
            const title = `${name} ${each.name} ${what} ${length}`;
            const argument = { name: each.name, value };
            return [
              { what: title, method: "prompts/get", params: { name, arguments: { ...base, [each.name]: value } } },
              { what: `complete ${title}`, method: "completion/complete", params: { ref, argument } },
            ];
          }),
        ),
      );
    });
    expect(await findDelaysInGroups(cases)).toEqual([]);
  }, 300_000);

  test("a method with large and hostile parameters", async () => {
    const methods = ["tools/call", "tools/list", "resources/read", "resources/list", "prompts/get", "prompts/list"];
    const others = ["completion/complete", "logging/setLevel", "tasks/get", "tasks/result", "tasks/cancel", "unknown"];
    const cases = [...methods, ...others].flatMap((method) =>
      Object.entries(HOSTILE_TEXTS).map(([what, textOf]): Case => {
        const text = textOf(LONG);
        const ref = { type: "ref/prompt", name: text };
        const params = { name: text, uri: text, level: text, taskId: text, cursor: text, ref };
        return { what: `${method} ${what}`, method, params };
      }),
    );
    expect(await findDelaysInGroups(cases)).toEqual([]);
  }, 120_000);

  test("hostile files of a project", async () => {
    const folders = ["project_path", "repository_path", "path"];
    const tools = await client.list<{ name: string; inputSchema: Message }>("tools/list", "tools");
    const reading = tools.filter(({ name, inputSchema }) => {
      const properties = Object.keys(inputSchema["properties"] ?? {});
      return (
        /^(?:fs_|git_|ci_workflows|analyze_|generate_context|quality_gate|tmkb_)/.test(name) &&
        !/delete|move/.test(name) &&
        folders.some((folder) => properties.includes(folder))
      );
    });
    const ofProject = reading.map(({ name, inputSchema }): Case => {
      const properties = Object.keys(inputSchema["properties"] ?? {});
      const folder = folders.find((each) => properties.includes(each)) ?? "path";
      const args = { ...(exampleOf(inputSchema) as Message), [folder]: "." };
      return { what: `${name} of the project`, method: "tools/call", params: { name, arguments: args } };
    });
    const files = [
      "long-line.txt",
      "lines.txt",
      "brackets.md",
      "emphasis.md",
      "tags.html",
      "nested.json",
      "quotes.csv",
    ];
    const sources = ["deep.ts", "slashes.ts", "calls.py"];
    const toCase = (name: string, args: Message): Case => ({
      what: `${name} ${JSON.stringify(args)}`.slice(0, 200),
      method: "tools/call",
      params: { name, arguments: args },
    });
    const ofFiles = [...files, ...sources].flatMap((file) => [
      toCase("fs_read_file", { path: file }),
      toCase("fs_info", { path: file }),
      toCase("fs_search", { path: file, pattern: "(a+)+$" }),
      toCase("fs_edit_file", { path: file, edits: [{ old_string: "a\na\nb", new_string: "c" }], dry_run: true }),
      toCase("kb_ingest", { collection: "a", paths: [file], dry_run: true }),
      toCase("tmkb_review", { files: [file] }),
      toCase("tmkb_checklist", { files: [file] }),
    ]);
    const others = [
      toCase("fs_find", { glob: "**/{a,{a,{a,b}}}*a*a*a*a*a*a*b" }),
      toCase("fs_find", { glob: "{a,".repeat(1_700_000) }),
      toCase("fs_find", { glob: "**", path: "stars" }),
      toCase("fs_find", { glob: "**", path: "ignored" }),
      toCase("fs_search", { pattern: "(a|a)*b" }),
      toCase("fs_write_file", { path: "lines.txt", content: "b\n".repeat(1_000_000) }),
      toCase("undo_last", {}),
      toCase("generate_template", {
        resource_uri: "template://manifest/rust/cli",
        parameters: manyMembers(300_000, 8),
      }),
      toCase("import_tasks", { text: "a\n".repeat(1_000_000) }),
      toCase("tmkb_review", { texts: [{ path: "a.ts", text: "/".repeat(500_000) }] }),
      toCase("tmkb_validate", { pattern: "? ".repeat(90_000) }),
      toCase("tmkb_review", { diff: `--- a/a.ts\n+++ b/a.ts\n@@ -1 +1,100000 @@\n${"+a(\n".repeat(100_000)}` }),
      toCase("tmkb_query", {
        context: "a queue",
        files: Array.from({ length: 200 }, (_, at) => `${at}/${"a/".repeat(1000)}`),
      }),
      toCase("kb_evaluate", {
        collection: "a",
        questions: Array.from({ length: 5000 }, (_, at) => ({
          question: `Which queue is number ${at}?`,
          relevant: ["a.md"],
        })),
      }),
    ];
    expect(await findDelaysInGroups([...ofProject, ...ofFiles, ...others])).toEqual([]);
  }, 600_000);
});

const encode = (text: string): string => encodeURIComponent(Buffer.from(text.slice(0, text.length / 3)).toString());
