import { createServer, pack, tool } from "@toolwright/engine";
import { createLiveLog } from "../../src/cli/live-log.js";
import { readConfig } from "../../src/cli/serve.js";
import { serveListening } from "../../src/cli/serve-listening.js";
import { createServeOptions } from "../../src/cli/serve-options.js";

const isStuck = process.env["STUCK"] === "yes";

// What `toolwright serve` does with a pack whose tools take their time.
const slow = pack({
  name: "slow",
  open: () => ({
    tools: [
      tool({
        name: "wait",
        description: "Ends when a line comes on stdin.",
        run: () =>
          new Promise<string>((resolve) => {
            process.stderr.write("waiting\n");
            process.stdin.once("data", () => resolve("done"));
          }),
      }),
      tool({
        name: "leave",
        description: "Leaves two errors behind.",
        run() {
          setTimeout(() => {
            throw new Error("left in a timer");
          });
          void Promise.reject(new Error("left in a promise"));
          return "left";
        },
      }),
    ],
    close: () => {
      process.stderr.write("closed\n");
      return isStuck ? new Promise<void>(() => undefined) : undefined;
    },
  }),
});

const packs = [slow()];
const limits = isStuck ? { drainMs: 100 } : {};
const read = await readConfig(process.argv.slice(2));
const log = createLiveLog(read.config);
const server = createServer({ name: "slow", version: "1.0.0", packs, limits, log });
const running = { ...read, server, packs: [], log, listeners: [], web: undefined };
await serveListening(running, createServeOptions(read.config));
