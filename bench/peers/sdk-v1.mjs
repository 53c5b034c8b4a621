import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { benchToolsZod } from "./tools-zod.mjs";

const server = new McpServer({ name: "bench", version: "1.0.0" });
for (const { name, description, schema, answer } of benchToolsZod(Number(process.argv[2]))) {
  server.registerTool(name, { description, inputSchema: schema }, async (input) => ({
    content: [{ type: "text", text: answer(input) }],
  }));
}
await server.connect(new StdioServerTransport());
