// An old release of the official SDK: lists the tools and calls one of them, or does both in one batch.
const { release, transport, server, name, input } = JSON.parse(process.argv.at(-1));
const from = (file) => import(`sdk-${release}/client/${file}.js`);

// The oldest ones expect it, as in a browser.
globalThis.EventSource ??= (await import("eventsource")).EventSource;

const open = {
  stdio: async () => new (await from("stdio")).StdioClientTransport(server),
  http: async () => new (await from("streamableHttp")).StreamableHTTPClientTransport(new URL(server.url)),
  sse: async () => new (await from("sse")).SSEClientTransport(new URL(server.url)),
};
const pipe = await open[transport === "batch" ? "http" : transport]();
const { Client } = await from("index");
const client = new Client({ name: "old", version: release }, { capabilities: {} });
await client.connect(pipe);

const params = { name, arguments: input };
/** Two requests in one message; the client does not know about them, so their responses are read from the transport. */
const batch = () =>
  new Promise((resolve, reject) => {
    const results = new Map();
    const onmessage = ({ id, result }) => {
      results.set(id, result);
      if (results.has("list") && results.has("call")) resolve([results.get("list"), results.get("call")]);
    };
    Object.assign(pipe, { onmessage });
    const requests = [
      { jsonrpc: "2.0", id: "list", method: "tools/list" },
      { jsonrpc: "2.0", id: "call", method: "tools/call", params },
    ];
    pipe.send(requests).catch(reject);
  });
const [{ tools }, { content }] =
  transport === "batch" ? await batch() : [await client.listTools(), await client.callTool(params)];
await client.close();
process.stdout.write(JSON.stringify({ tools: tools.map((tool) => tool.name), content }));
