// An HTTP server in a child process that reports, on request, what it holds.
import { readdirSync, readlinkSync } from "node:fs";
import { createServer, tool } from "@toolwright/engine";
import { serveHttp } from "@toolwright/engine/http";
import { collectGarbage } from "./collect-garbage.mjs";

const echo = tool({ name: "echo", description: "Says a word.", run: () => "word" });
const server = createServer({ name: "held", version: "1.0.0", dynamic: true, tools: [echo], log: () => undefined });
const serving = await serveHttp(server, { port: 0, rate: false, limits: { sessionIdleMs: 2000 } });

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Sockets as the system counts them, for runtimes that do not report them. */
function countSockets() {
  const links = readdirSync("/proc/self/fd").map((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`);
    } catch {
      // The folder itself was open during the read.
      return "";
    }
  });
  return links.filter((link) => link.startsWith("socket:")).length;
}

async function measure() {
  for (let times = 0; times < 4; times += 1) {
    collectGarbage();
    await pause(20);
  }
  const resources = process.getActiveResourcesInfo();
  return {
    heap: process.memoryUsage().heapUsed,
    sockets: resources.length > 0 ? resources.filter((name) => name === "TCPSocketWrap").length : countSockets(),
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
