import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { Client as ClientV2 } from "@modelcontextprotocol/client";
import { StdioClientTransport as StdioV2 } from "@modelcontextprotocol/client/stdio";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as StdioV1 } from "@modelcontextprotocol/sdk/client/stdio.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { onTestFinished, vi } from "vitest";

/** The built command. */
export const MAIN = fileURLToPath(new URL("../../dist/main.js", import.meta.url));
const ENGINE = fileURLToPath(new URL("../../../engine", import.meta.url));

const OFFICIAL = fileURLToPath(new URL("../../../../node_modules/@modelcontextprotocol", import.meta.url));

/** What a busy machine may take. */
export const PATIENCE = 120_000;

/** A folder with files, which goes with the test; the engine can be imported there. */
export function makeFolder(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), "toolwright-dev-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  mkdirSync(path.join(folder, "node_modules/@toolwright"), { recursive: true });
  symlinkSync(ENGINE, path.join(folder, "node_modules/@toolwright/engine"), "junction");
  symlinkSync(OFFICIAL, path.join(folder, "node_modules/@modelcontextprotocol"), "junction");
  for (const [name, text] of Object.entries({ "package.json": '{ "type": "module" }', ...files }))
    put(folder, name, text);
  return folder;
}

/** Writes a file of a project. */
export function put(folder: string, name: string, text: string): void {
  const file = path.join(folder, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** The code of a server with a tool that tells its version at once, one that waits for a file, and one that asks. */
export const codeOf = (version: string, extra = ""): string => `
import { existsSync, appendFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { createServer, serveStdio, tool } from "@toolwright/engine";
import { folder, type Wish } from "./wish.js";

const input = { type: "object", properties: { file: { type: "string" } } } as const;
const version: string = ${JSON.stringify(version)};
const tools = [
  tool({ name: "version", description: "Tells.", input, run: () => version }),
  tool({ name: "crash", description: "Ends.", input, run: () => process.exit(7) }),
  tool({
    name: "wait",
    description: "Waits for a file.",
    input,
    async run({ file = "" }: Wish, call) {
      appendFileSync(folder + "/begun", file + "\\n");
      while (!existsSync(folder + "/" + file)) {
        await pause(5);
        call.signal.throwIfAborted();
      }
      call.progress(1, version);
      // Clients drop progress that comes together with the answer, as it does where a busy machine holds both up.
      await pause(300);
      return version + " " + file;
    },
  }),
  tool({
    name: "ask",
    description: "Asks.",
    input,
    async run(_: Wish, call) {
      const answer = await call.elicit("name", "Who asks " + version + "?", {
        type: "object",
        properties: { name: { type: "string" } },
      } as const);
      return version + " " + answer?.name;
    },
  }),
  ${extra}
];
await serveStdio(createServer({ name: "made", version: "1.0.0", tools }));
`;

/** The code of a tool with this name. */
export const oneTool = (name: string): string =>
  `tool({ name: "${name}", description: "More.", input, run: () => "more" }),`;

/** The project of a server in TypeScript. */
export function makeProject(code: string): string {
  return makeFolder({
    "src/server.ts": code,
    "src/wish.ts": `import path from "node:path";
export interface Wish { readonly file?: string }
export const folder: string = path.join(import.meta.dirname, "..");
`,
  });
}

/** What a test hears beside the answers. */
export interface Heard {
  readonly changes: string[];
  readonly stderr: { text: string };
  /** What the client answers a question with, once it may. */
  answer: (message: string) => Promise<Record<string, string>>;
}

const info = { name: "tests", version: "1.0.0" };

/** How both official clients are started. */
function station(folder: string, words: readonly string[]) {
  const heard: Heard = { changes: [], stderr: { text: "" }, answer: async () => ({ name: "Ada" }) };
  const args = [MAIN, "dev", ...words];
  const server = { command: process.execPath, args, cwd: folder, stderr: "pipe" as const };
  const listen = (stream: { on(name: "data", hear: (chunk: Buffer) => void): unknown } | null): void =>
    void stream?.on("data", (chunk) => {
      heard.stderr.text += String(chunk);
    });
  return { heard, server, listen };
}

/** No call is cut off because the machine is slow. */
const PATIENT: readonly string[] = ["src/server.ts", "--drain", "600"];

/** The official client, version 1, over the connection that stays. */
export async function openV1(folder: string, words = PATIENT) {
  const { heard, server, listen } = station(folder, words);
  const transport = new StdioV1(server);
  listen(transport.stderr);
  const changed = (list: string) => ({ autoRefresh: false, debounceMs: 0, onChanged: () => heard.changes.push(list) });
  const client = new ClientV1(info, {
    capabilities: { elicitation: {} },
    listChanged: { tools: changed("tools"), prompts: changed("prompts"), resources: changed("resources") },
  });
  client.setRequestHandler(ElicitRequestSchema, async ({ params }) => ({
    action: "accept",
    content: await heard.answer(params.message),
  }));
  onTestFinished(() => client.close());
  await client.connect(transport);
  return { client, heard, pid: () => transport.pid };
}

/** The official client, version 2, in the stateless way. */
export async function openV2(folder: string, words = PATIENT) {
  const { heard, server, listen } = station(folder, words);
  const transport = new StdioV2(server);
  listen(transport.stderr);
  const client = new ClientV2(info, {
    capabilities: { elicitation: { form: {} } },
    versionNegotiation: { mode: { pin: "2026-07-28" } },
    listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged: () => heard.changes.push("tools") } },
  });
  client.setRequestHandler("elicitation/create", async ({ params }) => ({
    action: "accept",
    content: await heard.answer(params.message),
  }));
  onTestFinished(() => client.close());
  await client.connect(transport);
  return { client, heard };
}

/** The text that a tool gave. */
export const textOf = (result: unknown): string =>
  (result as { content: { text: string }[] }).content.map(({ text }) => text).join();

/** The calls of the tool that waits which have begun, one a line. */
export function begunIn(folder: string): string {
  const file = path.join(folder, "begun");
  return existsSync(file) ? readFileSync(file, "utf8") : "";
}

/** Waits until something is so. */
export const until = (check: () => unknown): Promise<unknown> =>
  vi.waitUntil(check, { timeout: PATIENCE / 2, interval: 20 });
