// What a request costs at least on Node: split lines (or node:http), JSON.parse, JSON.stringify, one write a tick. It checks
// nothing.
import { benchTools } from "../tools.mjs";

const tools = benchTools(Number(process.argv[2]));
const answers = new Map(tools.map((tool) => [tool.name, tool.answer]));
const long = process.argv[5] === undefined ? "" : (await import("../long-resource.mjs")).longResource.text;
const serverInfo = { name: "bench", version: "1.0.0" };
const modernMeta = { "io.modelcontextprotocol/serverInfo": serverInfo };
const modernList = { resultType: "complete", ttlMs: 0, cacheScope: "private", _meta: modernMeta };

const listed = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
const listText = JSON.stringify({ tools: listed });
const modernListText = JSON.stringify({ tools: listed, ...modernList });
const versionKey = "io.modelcontextprotocol/protocolVersion";

const answer = (id, result) => JSON.stringify({ jsonrpc: "2.0", id, result });

/** The answer to a message as text; undefined where there is none. */
function receive({ id, method, params }) {
  if (id === undefined) return undefined;
  const modern = params?._meta?.[versionKey] !== undefined;
  switch (method) {
    case "tools/call": {
      const content = [{ type: "text", text: answers.get(params.name)(params.arguments) }];
      return answer(id, modern ? { content, resultType: "complete", _meta: modernMeta } : { content });
    }
    case "tools/list":
      return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${modern ? modernListText : listText}}`;
    case "resources/read": {
      const contents = [{ uri: params.uri, text: long }];
      return answer(id, modern ? { contents, ...modernList } : { contents });
    }
    case "ping":
      return answer(id, {});
    case "initialize":
      return answer(id, { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo });
    case "server/discover":
      return answer(id, { supportedVersions: ["2026-07-28"], capabilities: { tools: {} }, ...modernList });
  }
}

let waiting = "";

function flush() {
  process.stdout.write(waiting);
  waiting = "";
}

function receiveLine(line) {
  const text = receive(JSON.parse(line));
  if (text === undefined) return;
  if (waiting === "") setImmediate(flush);
  waiting += `${text}\n`;
}

function serveLines() {
  let rest = [];
  process.stdin.on("data", (chunk) => {
    let start = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
      if (rest.length > 0) {
        rest.push(chunk.subarray(0, end));
        receiveLine(Buffer.concat(rest).toString());
        rest = [];
      } else receiveLine(chunk.utf8Slice(start, end));
      start = end + 1;
    }
    if (start < chunk.length) rest.push(chunk.subarray(start));
  });
}

if (process.argv[4] === "http") (await import("./floor-http.mjs")).serveHttp(receive);
else serveLines();
