// A client that starts a server, sends it requests, and can be killed. With `shared`, it passes on the pipes of its own parent.
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

const isShared = process.argv[2] === "shared";
const server = spawn(process.execPath, [fileURLToPath(new URL("./faulty.mjs", import.meta.url))], {
  stdio: isShared ? "inherit" : ["pipe", "pipe", "inherit"],
});
process.stderr.write(`server: ${server.pid}\n`);
if (!isShared) {
  const clientInfo = { name: "client", version: "1.0.0" };
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
  for (const message of [
    { id: 0, method: "initialize", params },
    { method: "notifications/initialized" },
    { id: 1, method: "tools/call", params: { name: "leak_interval" } },
    { id: 2, method: "tools/call", params: { name: "family_and_hang" } },
  ])
    server.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  server.stdin.write('{"jsonrpc":"2.0","id":3,"method":"tools/ca');
}
setInterval(() => {}, 1000);
