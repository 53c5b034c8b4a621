// The MCP client of the AI SDK: lists, calls, answers an elicitation, and reads. Its transport is "http" or "sse".
import { createMCPClient, ElicitationRequestSchema } from "@ai-sdk/mcp";

const [transport, url] = process.argv.slice(-2);
const client = await createMCPClient({ transport: { type: transport, url }, capabilities: { elicitation: {} } });
client.onElicitationRequest(ElicitationRequestSchema, () => ({ action: "accept", content: { name: "Ada" } }));
const tools = await client.tools();
const call = async (name, input = {}) => {
  const { content, isError } = await tools[name].execute(input, { toolCallId: "1", messages: [] });
  return isError ? { content, isError } : content;
};
const seen = {
  tools: Object.keys(tools),
  greeted: await call("greet", { name: "Ada" }),
  failed: await call("test_error_handling"),
  asked: await call("test_input_required_result_elicitation"),
  read: (await client.readResource({ uri: "test://static-text" })).contents,
};
await client.close();
process.stdout.write(JSON.stringify(seen));
