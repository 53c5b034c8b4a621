// The MCP servers of the OpenAI agents: lists, calls and reads. The transport is "http" or "sse".
import { MCPServerSSE, MCPServerStreamableHttp } from "@openai/agents-core";

const [transport, url] = process.argv.slice(-2);
const server = new (transport === "sse" ? MCPServerSSE : MCPServerStreamableHttp)({ url, name: "everything" });
await server.connect();
const { content, isError } = await server.callToolResult("test_error_handling", {});
const seen = {
  tools: (await server.listTools()).map(({ name }) => name),
  greeted: await server.callTool("greet", { name: "Ada" }),
  failed: { content, isError },
  read: (await server.readResource("test://static-text")).contents,
};
await server.close();
process.stdout.write(JSON.stringify(seen));
