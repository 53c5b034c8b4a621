import { McpServer } from "@modelcontextprotocol/server";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import { benchToolsZod } from "./tools-zod.mjs";

const tools = benchToolsZod(Number(process.argv[2]));

function createServer() {
  const server = new McpServer({ name: "bench", version: "1.0.0" });
  for (const { name, description, schema, answer } of tools) {
    server.registerTool(name, { description, inputSchema: schema }, async (input) => ({
      content: [{ type: "text", text: answer(input) }],
    }));
  }
  return server;
}

// The direct wiring knows the handshake revisions only and is the cheaper one for them, so each era gets its best.
if (process.argv[3] === "modern") serveStdio(createServer);
else await createServer().connect(new StdioServerTransport());
