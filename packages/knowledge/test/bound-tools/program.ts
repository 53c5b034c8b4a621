import { createServer, serveStdio } from "@toolwright/engine";
import { createKnowledge, hostOf } from "../open-pack.js";

// Serves the pack over stdio in a process of its own: "STATE".
const [state = ""] = process.argv.slice(2);
const packs = [createKnowledge(hostOf(state))({ embedder: "static" })];
await serveStdio(createServer({ name: "bench", version: "1.0.0", packs, dynamic: true }));
