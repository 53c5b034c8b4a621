import { resource, type ServerOptions, tool } from "@toolwright/engine";

/** Gives back the text it gets. */
const echo = tool({
  name: "echo",
  description: "Gives back the text.",
  input: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
  run: ({ text }) => text,
});

/** Says twice how far it is. */
const steps = tool({
  name: "steps",
  description: "Works in two steps.",
  async run(_input, call) {
    call.progress(1, "one");
    await new Promise((resolve) => setTimeout(resolve, 120));
    call.progress(2, "two");
    return "done";
  },
});

/** Asks for a name. */
const greet = tool({
  name: "greet",
  description: "Asks who is there.",
  async run(_input, call) {
    const schema = { type: "object", properties: { name: { type: "string" } }, required: ["name"] } as const;
    const answer = await call.ask("who", "Who is there?", schema);
    return answer === undefined ? "Nobody." : `Hello, ${answer.name}.`;
  },
});

const note = resource({ uri: "note://one", name: "note", read: () => "text" });
/** Changes of one thing are told together, so whoever wants to hear much needs many. */
const notes = Array.from({ length: 40 }, (_, at) =>
  resource({ uri: `note://${at + 1}`, name: `note ${at + 1}`, read: () => "text" }),
);

/** What most tests of HTTP are served with. */
export const createWorkshop = (): Pick<ServerOptions, "tools" | "resources"> => ({
  tools: [echo, steps, greet],
  resources: [note, ...notes],
});

/** A tool whose calls go on until the test says so, and that notes which were told to stop. */
export function createHeld(name = "held") {
  const stopped: string[] = [];
  const waiting: (() => void)[] = [];
  return {
    stopped,
    /** Calls that have begun and not ended. */
    get waiting(): number {
      return waiting.length;
    },
    /** Lets every call end that has begun. */
    release(): void {
      for (const end of waiting.splice(0)) end();
    },
    tool: tool({
      name,
      description: "Waits; says first how far it is where that is wanted.",
      input: { type: "object", properties: { tell: { type: "boolean" } } },
      run: ({ tell }, call) =>
        new Promise<string>((resolve) => {
          if (tell) call.progress(1, "begun");
          waiting.push(() => resolve("released"));
          call.signal.addEventListener("abort", () => stopped.push((call.signal.reason as Error).message));
        }),
    }),
  };
}
