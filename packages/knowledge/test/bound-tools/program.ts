import { createServer, serveStdio } from "@toolwright/engine";
import { createKnowledge } from "../../src/index.js";

// Serves the pack over stdio in a process of its own: "STATE".
const [state = ""] = process.argv.slice(2);
const packs = [createKnowledge(state)({ roots: [state], embedder: "static" })];
await serveStdio(createServer({ name: "bench", version: "1.0.0", packs, dynamic: true }));
