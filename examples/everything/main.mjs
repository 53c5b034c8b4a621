// Everything that an MCP server can do, one subject a file. `npm run everything` serves it over stdin and stdout.
import { createServer, serveStdio } from "@toolwright/engine";
import { clock, showTime } from "./app.mjs";
import { argumentTools } from "./arguments.mjs";
import { askingTools } from "./asking.mjs";
import { changing } from "./changing.mjs";
import { contentTools } from "./content.mjs";
import { prompts } from "./prompts.mjs";
import { resources } from "./resources.mjs";
import { roundTools } from "./rounds.mjs";
import { samplingTools } from "./sampling.mjs";
import { taskTools } from "./tasks.mjs";
import { tellingTools } from "./telling.mjs";

const server = createServer({
  name: "everything",
  title: "Everything",
  version: "1.0.0",
  description: "Shows each part of the protocol once.",
  instructions: "A server for trying out clients: each tool, prompt and resource shows one thing that servers can do.",
  dynamic: true,
  tasks: true,
  tools: [
    ...contentTools,
    ...argumentTools,
    ...tellingTools,
    ...askingTools,
    ...samplingTools,
    ...roundTools,
    ...taskTools,
    showTime,
  ],
  prompts,
  resources: [...resources, clock],
  packs: [changing()],
});

await serveStdio(server);
