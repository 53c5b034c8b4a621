// Everything that an MCP server can do, one subject a file. `npm run everything` serves it over stdin and stdout,
// `npm run everything -- --http 3000` over HTTP; with `--sse` also at the two endpoints of the oldest revision.
import { parseArgs } from "node:util";
import { createServer, serveStdio } from "@toolwright/engine";
import { serveHttp } from "@toolwright/engine/http";
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

const { values } = parseArgs({ options: { http: { type: "string" }, sse: { type: "boolean", default: false } } });

/** Calls that last longer give their connection back, and clients come again for the answer, where the revision has that. */
const POLL_AFTER_MS = 500;

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

if (values.http === undefined) {
  await serveStdio(server);
} else {
  const serving = await serveHttp(server, { port: Number(values.http), sse: values.sse, pollAfterMs: POLL_AFTER_MS });
  console.error(`Everything is at ${serving.url}`);
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => void serving.close());
  await serving.closed;
  await server.close();
}
