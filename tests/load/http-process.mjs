// A server over HTTP in a process of its own that tells, on demand, what it holds.
import { createServer, serveHttp, tool } from "@toolwright/engine";

const echo = tool({ name: "echo", description: "Says a word.", run: () => "word" });
const server = createServer({ name: "held", version: "1.0.0", dynamic: true, tools: [echo], log: () => undefined });
const serving = await serveHttp(server, { port: 0, rate: false, limits: { sessionIdleMs: 2000 } });

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

async function measure() {
  for (let times = 0; times < 4; times += 1) {
    globalThis.gc();
    await pause(20);
  }
  const resources = process.getActiveResourcesInfo();
  return {
    heap: process.memoryUsage().heapUsed,
    sockets: resources.filter((name) => name === "TCPSocketWrap").length,
    timers: resources.filter((name) => name === "Timeout").length,
  };
}

async function answer(asked) {
  if (asked === "measure") process.send(await measure());
  if (asked === "change") {
    server.addTool(tool({ name: `t${Math.random()}`.replace(".", "_"), description: "Is new.", run: () => "new" }));
    process.send("changed");
  }
  if (asked === "close") {
    await serving.close();
    process.disconnect();
  }
}
process.on("message", (asked) => void answer(asked));
process.send(serving.url);
