// LangChain's MCP adapters with any server: list its tools and call one of them.
import { MultiServerMCPClient } from "@langchain/mcp-adapters";

const { server, name, input } = JSON.parse(process.argv.at(-1));
const transport = server.url === undefined ? "stdio" : "http";
const client = new MultiServerMCPClient({ mcpServers: { ready: { transport, ...server } } });
const tools = await client.getTools();
const given = await tools.find((tool) => tool.name === name).invoke(input);
await client.close();
process.stdout.write(JSON.stringify({ tools: tools.map((tool) => tool.name), content: [given].flat() }));
