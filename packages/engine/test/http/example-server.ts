import { resource, type ServerOptions, tool } from "@toolwright/engine";

/** Returns its text. */
const echo = tool({
  name: "echo",
  description: "Gives back the text.",
  input: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
  run: ({ text }) => text,
});

/** Reports progress twice. */
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

/** Elicits a name. */
const greet = tool({
  name: "greet",
  description: "Elicits a name.",
  async run(_input, call) {
    const schema = { type: "object", properties: { name: { type: "string" } }, required: ["name"] } as const;
    const answer = await call.elicit("who", "Who is there?", schema);
    return answer === undefined ? "Nobody." : `Hello, ${answer.name}.`;
  },
});

const note = resource({ uri: "note://one", name: "note", read: () => "text" });
/** Notifications for one resource are combined, so a test that needs many notifications needs many resources. */
const notes = Array.from({ length: 40 }, (_, at) =>
  resource({ uri: `note://${at + 1}`, name: `note ${at + 1}`, read: () => "text" }),
);

/** The tools and resources of most HTTP tests. */
export const createExampleOptions = (): Pick<ServerOptions, "tools" | "resources"> => ({
  tools: [echo, steps, greet],
  resources: [note, ...notes],
});

/** A tool whose calls run until the test releases them, and that records which were aborted. */
export function createHeld(name = "held") {
  const stopped: string[] = [];
  const waiting: (() => void)[] = [];
  return {
    stopped,
    /** Calls that are running. */
    get waiting(): number {
      return waiting.length;
    },
    /** Lets every running call end. */
    release(): void {
      for (const end of waiting.splice(0)) end();
    },
    tool: tool({
      name,
      description: "Waits, after reporting progress if requested.",
      input: { type: "object", properties: { reportProgress: { type: "boolean" } } },
      run: ({ reportProgress }, call) =>
        new Promise<string>((resolve) => {
          if (reportProgress) call.progress(1, "begun");
          waiting.push(() => resolve("released"));
          call.signal.addEventListener("abort", () => stopped.push((call.signal.reason as Error).message));
        }),
    }),
  };
}
