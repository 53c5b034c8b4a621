// A server with one pack that is open and one that never finishes opening.
import { createServer, pack, serveStdio } from "../../../dist/index.js";

const first = pack({
  name: "first",
  open: () => ({ tools: [], close: () => process.stderr.write("first closed\n") }),
});
const second = pack({
  name: "second",
  open: () => {
    setInterval(() => {}, 1000);
    process.stderr.write("opening\n");
    return new Promise(() => {});
  },
});
await serveStdio(createServer({ name: "slow", version: "1.0.0", packs: [first(), second()] }));
