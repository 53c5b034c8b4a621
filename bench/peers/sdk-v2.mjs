import { McpServer } from "@modelcontextprotocol/server";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import { benchToolsZod } from "./tools-zod.mjs";

const tools = benchToolsZod(Number(process.argv[2]));

const longResource = process.argv[5] && (await import("../long-resource.mjs")).longResource;

function createServer() {
  const server = new McpServer({ name: "bench", version: "1.0.0" });
  for (const { name, description, schema, answer } of tools) {
    server.registerTool(name, { description, inputSchema: schema }, async (input) => ({
      content: [{ type: "text", text: answer(input) }],
    }));
  }
  if (longResource) {
    const { uri, text } = longResource;
    server.registerResource("long", uri, {}, async () => ({ contents: [{ uri, text }] }));
  }
  return server;
}

const [era, transport] = process.argv.slice(3);
if (transport === "http") (await import("./sdk-v2-http.mjs")).serveHttp(createServer, era);
// The direct wiring knows the handshake revisions only and is the cheaper one for them, so each era gets its best.
else if (era === "modern") serveStdio(createServer);
else await createServer().connect(new StdioServerTransport());
