// A small server with deliberate faults, which its words name.
import { spawn } from "node:child_process";
import readline from "node:readline";

const is = (name) => process.argv.includes(name, 2);

const schema = { type: "object", properties: { path: { type: "string" } }, required: ["path"] };
const tool = {
  name: "read",
  description: "Reads a file.",
  inputSchema: schema,
  annotations: { readOnlyHint: true },
};

const send = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);
const refuse = (id, code, message) => send({ jsonrpc: "2.0", id, error: { code, message } });

if (is("prints")) process.stdout.write("Server is running on stdio\n");
if (is("ignores-eof")) setInterval(() => undefined, 1000);
if (is("ignores-sigterm")) process.on("SIGTERM", () => undefined);
if (is("leaves-child"))
  spawn(process.execPath, ["-e", "setTimeout(() => undefined, 60_000)"], { stdio: "ignore" }).unref();
if (is("does-not-start")) {
  process.stderr.write("Error: EXAMPLE_KEY is not set\n");
  process.exit(1);
}

let lists = 0;
let agreed = "";

const inputSchema = {
  ...schema,
  ...(is("root-union") && { oneOf: [schema] }),
  ...(is("lost-property") && { required: ["path", "mode"] }),
};
const shown = {
  ...tool,
  inputSchema: is("no-object-schema") ? null : inputSchema,
  ...(is("odd-name") && { name: "read a file!" }),
  ...(is("no-description") && { description: undefined }),
  ...(is("dear") && { description: "word ".repeat(12_000) }),
};

function listed() {
  lists += 1;
  if (is("same-name")) return [shown, shown];
  if (!is("changes-order")) return [shown];
  const both = [shown, { ...shown, name: "other" }];
  return lists % 2 === 1 ? both : both.toReversed();
}

function call(id, { name, arguments: args }) {
  const unknown = Object.keys(Object(args)).find((key) => key !== "path");
  const say = (text, isError) => send({ jsonrpc: "2.0", id, result: { content: [{ type: "text", text }], isError } });
  if (name !== "read") return is("any-tool") ? say("done", false) : refuse(id, -32602, `Unknown tool: ${name}`);
  if (is("protocol-errors") && typeof args?.path !== "string") return refuse(id, -32602, "path is required");
  if (is("checks-nothing")) return say("done", false);
  if (typeof args?.path !== "string") return say("path must be a text", true);
  if (unknown !== undefined && !is("drops-arguments")) return say(`${unknown} is unknown; there is path`, true);
  return say(`There is no file ${args.path}`, true);
}

const VERSIONS = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];

function answer({ id, method, params = {} }) {
  if (is("id-zero") && !id) return undefined;
  const own = is("id-types") && id === "toolwright-7" ? Number.parseInt(id.replace(/\D+/g, ""), 10) : id;
  const give = (result) => send({ ...(is("no-jsonrpc") ? {} : { jsonrpc: "2.0" }), id: own, result });
  if (id === undefined) return is("answers-notifications") ? refuse(null, -32601, "Unknown notification") : undefined;
  if (method === "server/discover" && is("dies-on-discover")) process.exit(1);
  if (method === "server/discover" && is("silent-on-discover")) return undefined;
  if (method === "initialize" && is("refuses-all")) return refuse(id, -32600, "Not today");
  if (method === "initialize") {
    agreed = params.protocolVersion;
    const isKnown = VERSIONS.includes(params.protocolVersion) || is("agrees-to-all");
    return give({
      protocolVersion: isKnown ? params.protocolVersion : VERSIONS[0],
      capabilities: { tools: {}, ...(is("promises-prompts") && { prompts: {} }) },
      serverInfo: { name: "broken", version: "1.0.0" },
    });
  }
  if (method === "ping") return is("no-ping") ? undefined : give({});
  if (method === "tools/list") {
    if (params.cursor !== undefined && !is("endless")) return refuse(id, -32602, "Unknown cursor");
    return give({ tools: listed(), ...(is("endless") && { nextCursor: "again" }) });
  }
  if (method === "tools/call") return call(own, params);
  if (is("silent-on-unknown")) return undefined;
  return refuse(own, is("odd-code") ? -32000 : -32601, "Method not found");
}

const lines = readline.createInterface({ input: process.stdin });
lines.on("line", (line) => {
  if (is("dies-on-long") && line.length > 1_000_000) process.exit(0);
  let message;
  try {
    message = JSON.parse(line);
  } catch {
    if (is("dies-on-junk")) process.exit(1);
    if (!is("passes-over-junk")) refuse(null, -32700, "Parse error");
    return;
  }
  if (!Array.isArray(message)) answer(message);
  else if (is("drops-batches")) return;
  else if (agreed === "2025-03-26") for (const one of message) answer(one);
  else refuse(null, -32600, "Batches are not served");
});
