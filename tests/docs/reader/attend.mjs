// Starts a server that would go on until it is stopped, sees that it serves, ends it as its reader would, and says by its own code whether all went well.
import { spawn } from "node:child_process";
import { statSync } from "node:fs";

const [main, ...args] = process.argv.slice(2);
const http = args.indexOf("--http");
const valueOf = (option) => (args.includes(option) ? args[args.indexOf(option) + 1] : undefined);
if (http !== -1) {
  // A free port in the place of the one that is named or meant, which somebody may have, and for this machine alone.
  const [named] = /^(?:.*:)?\d+$/.exec(args[http + 1] ?? "") ?? [];
  args.splice(http + 1, named === undefined ? 0 : 1, named?.includes(":") === false ? "0" : "127.0.0.1:0");
}

const initialize = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "reader", version: "1.0.0" } },
};
const initialized = { jsonrpc: "2.0", method: "notifications/initialized" };
const list = { jsonrpc: "2.0", id: 2, method: "tools/list" };

const child = spawn(process.execPath, [main, ...args], { stdio: "pipe" });
let heard = "";
let isAsked = false;
let isServing = false;

/** Asks a server over HTTP, looks for its other ways in, and ends it. */
async function ask(url) {
  const headers = { "Content-Type": "application/json", Accept: "application/json, text/event-stream" };
  const reply = await fetch(url, { method: "POST", headers, body: JSON.stringify(initialize) });
  const text = await reply.text();
  const socket = valueOf("--socket");
  isServing =
    (args.includes("--api-key-file") ? reply.status === 401 : text.includes('"serverInfo"')) &&
    (socket === undefined || statSync(socket).isSocket()) &&
    (!args.includes("--ws") || heard.includes("ws://"));
  if (!isServing) console.error(`answered with ${reply.status}: ${text}`);
  child.kill("SIGTERM");
}

function hear(text) {
  heard += text;
  // All that it says of itself at its start is there with the last line.
  const [url] = /http:\/\/[\d.]+:\d+\/mcp\b(?=[^]*\n$)/.exec(heard) ?? [];
  if (http !== -1 && url !== undefined && !isAsked) {
    isAsked = true;
    void ask(url);
  }
  if (http === -1 && heard.includes('"tools":[{') && !isServing) {
    isServing = true;
    child.stdin.end();
  }
}

for (const name of ["stdout", "stderr"])
  child[name].setEncoding("utf8").on("data", (text) => {
    process[name].write(text);
    hear(text);
  });
child.stdin.on("error", () => {});
if (http === -1)
  child.stdin.write([initialize, initialized, list].map((message) => `${JSON.stringify(message)}\n`).join(""));
child.on("close", (code) => {
  if (!isServing) console.error(`"${args.join(" ")}" did not serve.`);
  // What was told to end by a signal may say so by its code.
  const isEnded = code === 0 || (code === 143 && isAsked);
  process.exitCode = isServing ? Number(!isEnded) : 99;
});
