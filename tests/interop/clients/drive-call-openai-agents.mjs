// The MCP servers of the OpenAI agents with any server: list its tools and call one of them.
import { MCPServerStdio, MCPServerStreamableHttp } from "@openai/agents-core";

const { server, name, input } = JSON.parse(process.argv.at(-1));
const Transport = server.url === undefined ? MCPServerStdio : MCPServerStreamableHttp;
const guest = new Transport({ name: "ready", ...server });
await guest.connect();
const tools = (await guest.listTools()).map((tool) => tool.name);
const content = await guest.callTool(name, input);
await guest.close();
process.stdout.write(JSON.stringify({ tools, content }));
