import {
  content,
  createServer,
  embeddedResource,
  image,
  resourceLink,
  serveStdio,
  text,
  tool,
} from "@toolwright/engine";
import { serveHttp } from "@toolwright/engine/http";
import { serveUnixSocket } from "@toolwright/engine/sockets";
import { z } from "zod";

// What `toolwright call` is tried on: over stdio, or with a word over HTTP or a socket, whose address goes to stdout.
const types = tool({
  name: "types",
  description: "Shows what it was given.\nAs JSON.",
  input: {
    type: "object",
    properties: {
      text: { type: "string" },
      count: { type: "integer", description: "How many." },
      ratio: { anyOf: [{ type: "number" }, { type: "null" }] },
      on: { type: "boolean" },
      tags: { type: "array", items: { type: "string" } },
      place: { $ref: "#/$defs/Place" },
      mode: { enum: ["fast", "slow"] },
    },
    required: ["text"],
    $defs: { Place: { type: "object", properties: { x: { type: "number" } } } },
  },
  run: (input) => JSON.stringify(input),
});

const bag = tool({
  name: "bag",
  description: "Gives a bit of everything.",
  run: () =>
    content(
      text("a text\u{1b}[31m"),
      image(new Uint8Array(2000), "image/png"),
      resourceLink("file:///a.txt", "a"),
      embeddedResource("file:///b.txt", { text: "inside" }, "text/plain"),
      embeddedResource("file:///c.bin", { blob: new Uint8Array(3) }),
    ),
});

const fail = tool({
  name: "fail",
  description: "Fails.",
  run: () => {
    throw new Error("of our own making");
  },
});

const steps = tool({
  name: "steps",
  description: "Tells how far it has come.",
  run(_input, call) {
    call.progress(1, "one", 2);
    call.log("info", "half of it");
    call.progress(2, "two", 2);
    return "there";
  },
});

const wait = tool({
  name: "wait",
  description: "Waits until it is cancelled.",
  run: (_input, call) =>
    new Promise<string>((resolve) => {
      call.progress(1, "waiting");
      call.signal.addEventListener("abort", () => {
        process.stderr.write("the wait is over\n");
        resolve("over");
      });
    }),
});

const order = tool({
  name: "order",
  description: "Asks for details.",
  async run(_input, call) {
    const answer = await call.elicit(
      "details",
      "What may it be?",
      z.object({
        size: z.enum(["small", "large"]).describe("How large"),
        count: z.number().int().min(1).default(2),
        gift: z.boolean(),
        note: z.string().optional(),
      }),
    );
    return answer ? JSON.stringify(answer) : "Nothing then.";
  },
});

const pay = tool({
  name: "pay",
  description: "Sends to a page.",
  run: async (_input, call) =>
    (await call.elicitUrl("pay", "Please pay.", "https://pay.example/1")) ? "Thank you." : "Not paid.",
});

const server = createServer({
  name: "workbench",
  version: "1.0.0",
  tools: [types, bag, fail, steps, wait, order, pay],
});
const [way, path = ""] = process.argv.slice(2);
if (way === undefined) await serveStdio(server);
else {
  const serving = await (way === "socket" ? serveUnixSocket(server, path) : serveHttp(server, { port: 0 }));
  process.stdout.write(`${serving.url}\n`);
}
