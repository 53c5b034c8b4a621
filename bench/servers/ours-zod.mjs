import { createServer, serveStdio, tool } from "../../packages/engine/dist/index.js";
import { benchToolsZod } from "../peers/tools-zod.mjs";

const tools = benchToolsZod(Number(process.argv[2])).map(({ name, description, schema, answer }) =>
  tool({ name, description, input: schema, run: async (input) => answer(input) }),
);
await serveStdio(createServer({ name: "bench", version: "1.0.0", tools }));
