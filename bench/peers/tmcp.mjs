import { ZodJsonSchemaAdapter } from "@tmcp/adapter-zod";
import { StdioTransport } from "@tmcp/transport-stdio";
import { McpServer } from "tmcp";
import { benchToolsZod } from "./tools-zod.mjs";

const server = new McpServer(
  { name: "bench", version: "1.0.0", description: "bench" },
  { adapter: new ZodJsonSchemaAdapter(), capabilities: { tools: { listChanged: true } } },
);
for (const { name, description, schema, answer } of benchToolsZod(Number(process.argv[2]))) {
  server.tool({ name, description, schema }, async (input) => ({
    content: [{ type: "text", text: answer(input) }],
  }));
}
new StdioTransport(server).listen();
