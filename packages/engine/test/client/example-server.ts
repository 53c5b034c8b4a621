import { createServer, prompt, resource, resourceTemplate, type Server, tool } from "@toolwright/engine";

const form = { type: "object", properties: { sure: { type: "boolean" } }, required: ["sure"] } as const;
const text = { type: "object", properties: { text: { type: "string" } }, required: ["text"] } as const;
const region = {
  type: "object",
  properties: {
    region: { type: "string", "x-mcp-header": "Region" },
    size: { type: "object", properties: { disks: { type: "integer", "x-mcp-header": "Disks" } } },
  },
} as const;

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** A server with every feature that a client can use. */
export interface Workshop {
  readonly server: Server;
  /** Calls of `wait` that were cancelled. */
  readonly cancelled: string[];
  /** Announces a change of the note. */
  readonly changeNote: () => void;
  /** Changes the list of tools. */
  readonly changeTools: () => void;
}

export function createExampleServer(): Workshop {
  const cancelled: string[] = [];
  const server = createServer({
    name: "example",
    version: "1.0.0",
    instructions: "Use it well.",
    log: () => undefined,
    dynamic: true,
    tasks: { pollMs: 20, graceMs: 5 },
    limits: { pageSize: 5, changeIntervalMs: 1 },
    tools: [
      tool({ name: "echo", description: "Echoes.", input: text, run: ({ text: value }) => value }),
      tool({
        name: "delete",
        description: "Deletes after a confirmation.",
        run: async (_input, call) =>
          (await call.elicit("confirm", "Delete it?", form))?.sure ? "Deleted." : "Left alone.",
      }),
      tool({
        name: "translate",
        description: "Asks the model.",
        run: async (_input, call) => (await call.sample("words", { prompt: "Say hello in French" })).text,
      }),
      tool({
        name: "folders",
        description: "Lists the folders.",
        run: async (_input, call) => (await call.roots()).map(({ uri }) => uri).join(" "),
      }),
      tool({
        name: "count",
        description: "Reports progress and logs.",
        run: (_input, call) => {
          call.log("debug", "below the log level");
          call.log("warning", "counting");
          for (const part of [1, 2, 3]) call.progress(part, `part ${part}`, 3);
          return "counted";
        },
      }),
      tool({
        name: "wait",
        description: "Waits until it is cancelled.",
        input: text,
        run: ({ text: name }, call) =>
          new Promise((resolve) => {
            call.progress(1);
            call.signal.addEventListener("abort", () => {
              cancelled.push(name);
              resolve("cancelled");
            });
          }),
      }),
      tool({
        name: "bake",
        description: "Runs for a while and elicits input.",
        taskSupport: "required",
        run: async (_input, call) => {
          await pause(60);
          call.progress(1, "in the oven");
          const answer = await call.elicit("more", "More?", form);
          await pause(30);
          return answer?.sure ? "two cakes" : "one cake";
        },
      }),
      tool({ name: "store", description: "Stores.", input: region, run: ({ region: at }) => `stored in ${at}` }),
    ],
    prompts: [
      prompt({
        name: "brief",
        description: "Briefs.",
        input: {
          type: "object",
          properties: { topic: { type: "string", enum: ["tea", "trains"] } },
          required: ["topic"],
        },
        run: ({ topic }) => `Tell me about ${topic}.`,
      }),
    ],
    resources: [
      resource({ uri: "note://today", name: "today", read: () => "Nothing to do." }),
      resourceTemplate({ uri: "note://{day}", name: "day", read: ({ day }) => `The notes of ${String(day)}.` }),
    ],
  });
  let last = 0;
  return {
    server,
    cancelled,
    changeNote: () => server.notifyResourceUpdated("note://today"),
    changeTools: () => {
      last += 1;
      server.addTool(tool({ name: `extra_${last}`, description: "One more.", run: () => "extra" }));
    },
  };
}
