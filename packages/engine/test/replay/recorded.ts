import { createServer, type Server, type ServerOptions, tool } from "@toolwright/engine";
import { serializeRecording } from "@toolwright/engine/observability";
import { z } from "zod";

/** A tool that says hello. */
export const greet = tool({
  name: "greet",
  description: "Says hello.",
  input: z.object({ name: z.string() }),
  run: ({ name }) => `Hello ${name}`,
});

/** A tool that adds, with a structured result. */
export const add = tool({
  name: "add",
  description: "Adds two numbers.",
  input: z.object({ a: z.number(), b: z.number() }),
  output: z.object({ sum: z.number() }),
  run: ({ a, b }) => ({ sum: a + b }),
});

/** A tool that elicits input. */
export const deploy = tool({
  name: "deploy",
  description: "Deploys after asking.",
  input: z.object({ service: z.string() }),
  async run({ service }, call) {
    const answer = await call.elicit("confirm", `Deploy ${service}?`, z.object({ sure: z.boolean() }));
    return answer?.sure ? `${service} is deployed.` : "Left alone.";
  },
});

/** A tool that runs until it is cancelled. */
export const wait = tool({
  name: "wait",
  description: "Waits for ever.",
  run(_input, call) {
    call.progress(1, "begun");
    return new Promise<string>((_resolve, reject) => {
      call.signal.addEventListener("abort", () => reject(call.signal.reason as Error), { once: true });
    });
  },
});

/** A server with these tools that logs nothing. */
export function create(tools: NonNullable<ServerOptions["tools"]>, more: Partial<ServerOptions> = {}): Server {
  return createServer({ name: "recorded", version: "1.0.0", tools, log: () => undefined, ...more });
}

/** Returns the recording of a server after some calls. */
export async function record(server: Server, use: (server: Server) => Promise<void>): Promise<string> {
  await use(server);
  return serializeRecording(server);
}
