import { createServer, type Pack, type Prompt, type Resource, type Server, type Tool } from "@toolwright/engine";
import type { Client, ClientOptions } from "@toolwright/engine/client";

const load = async (file: string): Promise<Record<string, unknown>> =>
  (await import(`../../../../examples/everything/${file}.mjs`)) as Record<string, unknown>;

const parts = {
  ...(await load("app")),
  ...(await load("arguments")),
  ...(await load("asking")),
  ...(await load("changing")),
  ...(await load("content")),
  ...(await load("prompts")),
  ...(await load("resources")),
  ...(await load("rounds")),
  ...(await load("sampling")),
  ...(await load("tasks")),
  ...(await load("telling")),
} as unknown as Record<`${string}Tools`, readonly Tool[]> & {
  prompts: readonly Prompt[];
  resources: readonly Resource[];
  clock: Resource;
  showTime: Tool;
  changing: () => Pack;
};

/** The example with every feature of the protocol, in this process. */
export function createEverything(): Server {
  const kinds = ["content", "argument", "telling", "asking", "sampling", "round", "task"] as const;
  return createServer({
    name: "everything",
    version: "1.0.0",
    instructions:
      "A server for trying out clients: each tool, prompt and resource shows one thing that servers can do.",
    dynamic: true,
    tasks: true,
    tools: [...kinds.flatMap((kind) => parts[`${kind}Tools`] ?? []), parts.showTime],
    prompts: parts.prompts,
    resources: [...parts.resources, parts.clock],
    packs: [parts.changing()],
    log: () => undefined,
  });
}

/** Handlers for its input requests. */
export const handlers: ClientOptions = {
  onElicit: ({ name }) => {
    if (name === "confirm") return { action: "accept", content: { sure: true, ok: true, confirm: true } };
    const email = "ada@example.com";
    return { action: "accept", content: { name: "Ada", color: "green", context: "sums", username: "ada", email } };
  },
  onElicitUrl: () => ({ action: "decline" }),
  onSample: () => ({ role: "assistant", content: { type: "text", text: "Paris" }, model: "m", stopReason: "endTurn" }),
  roots: [{ uri: "file:///project", name: "project" }],
};

const ignoreError = (): undefined => undefined;

/** Calls everything whose result is the same in every run. */
export async function useEverything(client: Client): Promise<void> {
  await client.listTools();
  await client.listResources();
  await client.listResourceTemplates();
  await client.listPrompts();
  for (const kind of ["simple_text", "image_content", "audio_content", "embedded_resource", "multiple_content_types"])
    await client.callTool(`test_${kind}`);
  await client.callTool("test_error_handling");
  await client.callTool("json_schema_2020_12_tool", { name: "Ada", email: "ada@example.com" });
  await client.callTool("test_x_mcp_header", { region: "north", level: 3 });
  await client.callTool("json_schema_2020_12_tool", { name: 7 });
  await client.callTool("test_simple_txt").catch(ignoreError);
  await Promise.all([
    client.callTool("test_tool_with_progress", {}, { onProgress: ignoreError }),
    client.callTool("test_tool_with_logging"),
    client.callTool("test_simple_text"),
  ]);
  await client.callTool("test_trigger_tool_change");
  await client.callTool("test_passing_tool");
  await client.callTool("test_trigger_tool_change");
  for (const uri of ["test://static-text", "test://static-binary", "test://template/7/data", "test://nowhere"])
    await client.readResource(uri).catch(ignoreError);
  await client.complete({ type: "ref/resource", uri: "test://template/{id}/data" }, { name: "id", value: "12" });
  await client.getPrompt("test_simple_prompt");
  await client.getPrompt("test_prompt_with_image");
  await client.getPrompt("test_prompt_with_arguments", { arg1: "one", arg2: "two" });
  const stop = new AbortController();
  const cancelled = client.callTool(
    "slow_compute",
    { seconds: 60 },
    { signal: stop.signal, onTask: () => stop.abort() },
  );
  if (client.server.handshake) stop.abort();
  await cancelled.catch(ignoreError);
  await client.callTool("slow_compute", { seconds: 0.01 });
}

/** Calls everything that requests input. */
export async function askEverything(client: Client): Promise<void> {
  await client.callTool("test_elicitation", { message: "Who are you?" });
  await client.callTool("test_input_required_result_multi_round");
  await client.callTool("test_input_required_result_multiple_inputs");
  await client.callTool("test_sampling", { prompt: "What is the capital of France?" });
  await client.callTool("test_input_required_result_list_roots");
  await client.getPrompt("test_input_required_result_prompt");
  await client.callTool("confirm_delete", { filename: "a.txt" });
}
