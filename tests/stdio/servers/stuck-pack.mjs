// A server whose pack never finishes to close, and leaves a timer running.
import { createServer, pack, serveStdio } from "../../../packages/engine/dist/index.js";

const stuck = pack({
  name: "stuck",
  open: () => {
    setInterval(() => {}, 1000);
    return { tools: [], close: () => new Promise(() => {}) };
  },
});
await serveStdio(createServer({ name: "stuck", version: "1.0.0", packs: [stuck()], limits: { drainMs: 100 } }));
