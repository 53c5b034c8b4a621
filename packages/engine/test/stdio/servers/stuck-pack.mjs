// A server whose pack never finishes closing, and leaves a timer running.
import { createServer, pack, serveStdio } from "../../../dist/index.js";

const stuck = pack({
  name: "stuck",
  open: () => {
    setInterval(() => {}, 1000);
    return { tools: [], close: () => new Promise(() => {}) };
  },
});
await serveStdio(createServer({ name: "stuck", version: "1.0.0", packs: [stuck()], limits: { drainMs: 100 } }));
