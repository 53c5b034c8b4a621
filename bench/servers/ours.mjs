import { createServer, resource, serveStdio, tool } from "../../packages/engine/dist/index.js";
import { benchTools } from "../tools.mjs";

const tools = benchTools(Number(process.argv[2])).map(({ name, description, inputSchema, answer }) =>
  tool({ name, description, input: inputSchema, run: async (input) => answer(input) }),
);
const resources = [];
if (process.argv[5] === "resources") {
  const { longResource } = await import("../long-resource.mjs");
  resources.push(resource({ uri: longResource.uri, name: "long", read: async () => longResource.text }));
}
const isBare = process.argv[5] === "bare";
// Bare: keeps no messages and traces nothing. Calls are always counted.
const observed = { recorder: !isBare, telemetry: !isBare };
const server = createServer({ name: "bench", version: "1.0.0", tools, resources, ...observed });
if (process.argv[4] === "stdio") await serveStdio(server);
else await (await import("./ours-listening.mjs")).listen(server, process.argv[4]);
