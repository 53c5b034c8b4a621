// The client that the official conformance suite runs: it uses every feature of the server at the given URL.
import { connect, ResponseError } from "../../dist/client.js";

const defaultsOf = ({ properties = {} }) =>
  Object.fromEntries(
    Object.entries(properties).flatMap(([name, field]) => ("default" in field ? [[name, field.default]] : [])),
  );

/** A value that a field could have. */
function exampleOf({ type }) {
  if (type === "boolean") return true;
  return type === "number" || type === "integer" ? 5 : "x";
}

const client = await connect(
  { url: process.argv.at(-1) },
  {
    onElicit: ({ requestedSchema }) => ({ action: "accept", content: defaultsOf(requestedSchema) }),
    onSample: () => ({ role: "assistant", content: { type: "text", text: "Hello" }, model: "m" }),
    roots: [{ uri: "file:///work" }],
  },
);
const tools = await client.listTools();
const schemaOf = (name) => tools.find((tool) => tool.name === name)?.inputSchema;
const { toolCalls } = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? "{}");
const calls =
  toolCalls ??
  tools.map(({ name, inputSchema: { properties = {} } }) => {
    const examples = Object.entries(properties).map(([key, field]) => [key, exampleOf(field)]);
    const isEcho = name === "json_schema_echo";
    return {
      name,
      arguments: isEcho ? { schema: schemaOf("json_schema_2020_12_tool") } : Object.fromEntries(examples),
    };
  });
for (const { name, arguments: args } of calls) {
  // Some servers of the suite only list their tools.
  await client.callTool(name, args).catch((error) => {
    if (!(error instanceof ResponseError)) throw error;
  });
}
const { prompts, resources } = client.server.capabilities;
if (prompts) for (const { name } of await client.listPrompts()) await client.getPrompt(name);
if (resources) for (const { uri } of await client.listResources()) await client.readResource(uri);
await client.close();
