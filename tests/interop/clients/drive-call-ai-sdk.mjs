// The MCP client of the AI SDK with any server: lists its tools and calls one of them.
import { createMCPClient } from "@ai-sdk/mcp";
import { Experimental_StdioMCPTransport as Stdio } from "@ai-sdk/mcp/mcp-stdio";

const { server, name, input } = JSON.parse(process.argv.at(-1));
const transport = server.url === undefined ? new Stdio(server) : { type: "http", url: server.url };
const client = await createMCPClient({ transport });
const tools = await client.tools();
const { content } = await tools[name].execute(input, { toolCallId: "1", messages: [] });
await client.close();
process.stdout.write(JSON.stringify({ tools: Object.keys(tools), content }));
