// What a tool can ask of the client itself: an answer of its model, and the folders that its user works on.
import { tool } from "@toolwright/engine";
import { z } from "zod";

const MAX_TOKENS = 100;

const sampled = tool({
  name: "test_sampling",
  description: "Passes a prompt on to the client's model.",
  input: z.object({ prompt: z.string().describe("What to ask the model") }),
  async run({ prompt }, call) {
    const answer = await call.sample("answer", { prompt, maxTokens: MAX_TOKENS });
    return `LLM response: ${answer.text}`;
  },
});

const capital = tool({
  name: "test_input_required_result_sampling",
  description: "Asks the client's model for a capital.",
  async run(_input, call) {
    const prompt = "What is the capital of France?";
    const answer = await call.sample("capital_question", { prompt, maxTokens: MAX_TOKENS });
    return `The model says: ${answer.text}`;
  },
});

const needed = tool({
  name: "test_missing_capability",
  description: "Cannot do without the client's model.",
  async run(_input, call) {
    const answer = await call.sample("greeting", { prompt: "Say hello.", maxTokens: MAX_TOKENS });
    return answer.text;
  },
});

const folders = tool({
  name: "test_input_required_result_list_roots",
  description: "Lists the folders that the client's user works on.",
  async run(_input, call) {
    const roots = await call.roots();
    return roots.length === 0
      ? "There are no roots."
      : roots.map(({ uri, name }) => `${name ?? "root"}: ${uri}`).join("\n");
  },
});

export const samplingTools = [sampled, capital, needed, folders];
