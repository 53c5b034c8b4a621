// The server of which the pages speak as the reader's own, or somebody else's.
import { createServer, prompt, resource, serveStdio, tool } from "@toolwright/engine";
import { serveHttp } from "@toolwright/engine/http";
import { serveUnixSocket } from "@toolwright/engine/sockets";

const text = { type: "string", description: "A word or more." };
const reading = (name, description, properties, required, run) =>
  tool({
    name,
    description,
    annotations: { readOnlyHint: true },
    input: { type: "object", properties, required, additionalProperties: false },
    run,
  });

const server = createServer({
  name: "reader",
  version: "1.0.0",
  tools: [
    reading("echo", "Gives back the text it was given.", { text }, ["text"], (input) => input.text),
    reading("forecast", "Tells the weather.", { city: text }, ["city"], ({ city }) => `Sunny in ${city}.`),
    reading("price", "Tells what an item costs.", { item: text }, ["item"], ({ item }) => `${item}: 2`),
    reading("search_code", "Finds code.", { query: text }, ["query"], ({ query }) => `Nothing has ${query}.`),
    reading(
      "search",
      "Finds things.",
      {
        limit: { type: "integer", description: "How many." },
        tags: { type: "array", items: { type: "string" }, description: "What they have." },
      },
      [],
      ({ limit, tags }) => `${limit} with ${tags}`,
    ),
  ],
  prompts: [
    prompt({
      name: "review",
      description: "Has a file reviewed.",
      input: { type: "object", properties: { file: text }, required: ["file"] },
      run: ({ file }) => `Review ${String(file)}.`,
    }),
  ],
  resources: [resource({ uri: "docs://readme", name: "readme", mimeType: "text/plain", read: () => "Read me first." })],
});

const [way, at] = process.argv.slice(2);
if (way === "--listen") {
  const { url } = await serveHttp(server, { port: 0, webSocket: true });
  console.log(url);
} else if (way === "--at") {
  await serveUnixSocket(server, at);
  console.log(at);
} else await serveStdio(server);
