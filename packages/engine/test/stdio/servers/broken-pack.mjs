// A server whose pack lacks a setting.
import { createServer, pack, serveStdio } from "../../../dist/index.js";

const store = pack({
  name: "store",
  settings: { type: "object", properties: { file: { type: "string" } }, required: ["file"] },
  open: () => ({ tools: [] }),
});
await serveStdio(createServer({ name: "broken", version: "1.0.0", packs: [store()] }));
