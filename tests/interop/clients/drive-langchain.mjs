// LangChain's MCP adapters: list, call, and receive progress and log messages. The transport is "http" or "sse".
import { MultiServerMCPClient } from "@langchain/mcp-adapters";

const [transport, url] = process.argv.slice(-2);
const received = { progress: [], logged: [] };
const client = new MultiServerMCPClient({
  mcpServers: { everything: { transport, url } },
  onProgress: ({ progress, total }) => received.progress.push(`${progress}/${total}`),
  onMessage: ({ data }) => received.logged.push(data),
});
const tools = await client.getTools();
const call = (name, input = {}) => tools.find((tool) => tool.name === name).invoke(input);
const seen = {
  tools: tools.map(({ name }) => name),
  greeted: await call("greet", { name: "Ada" }),
  failed: await call("test_error_handling").catch(({ message }) => message),
  reported: await call("test_tool_with_progress"),
  logged: await call("test_tool_with_logging"),
  received,
  read: await client.readResource("everything", "test://static-text"),
};
await client.close();
process.stdout.write(JSON.stringify(seen));
