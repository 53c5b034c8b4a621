import { createServer, serveStdio, tool } from "../../packages/engine/dist/index.js";
import { benchTools } from "../tools.mjs";

const tools = benchTools(Number(process.argv[2])).map(({ name, description, inputSchema, answer }) =>
  tool({ name, description, input: inputSchema, run: async (input) => answer(input) }),
);
await serveStdio(createServer({ name: "bench", version: "1.0.0", tools }));
