import { FastMCP } from "fastmcp";
import { benchToolsZod } from "./tools-zod.mjs";

const server = new FastMCP({ name: "bench", version: "1.0.0" });
for (const { name, description, schema, answer } of benchToolsZod(Number(process.argv[2]))) {
  server.addTool({ name, description, parameters: schema, execute: async (input) => answer(input) });
}
await server.start({ transportType: "stdio" });
