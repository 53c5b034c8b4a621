import type { JsonObject } from "../../jsonrpc/json.js";
import { type Question, ToolError } from "../../protocol/outcome.js";
import type { Call, Sample, SampleRequest } from "../call.js";
import type { Exchange } from "../exchange.js";
import { type Asker, Unanswered } from "./asker.js";
import { readSample, usesOf } from "./sample-answer.js";
import { oneOrMany, writeSampleRequest } from "./sample-request.js";
import { createToolbox } from "./toolbox.js";

/** Whose questions a sampling is. */
interface Sampler {
  readonly exchange: Exchange;
  readonly asker: Asker;
  /** The call that tools get which the model uses. */
  readonly call: Call;
}

/** Asks the client's model, and runs the tools that it uses until it answers. */
export async function sample(sampler: Sampler, name: string, request: SampleRequest): Promise<Sample> {
  const params = writeSampleRequest(name, request);
  if (request.tools !== undefined && request.tools.length > 0) return sampleWithTools(sampler, name, request, params);
  return sampler.asker.ask(name, { method: "sampling/createMessage", params }, (answer) => readSample(answer, false));
}

async function sampleWithTools(
  { exchange, asker, call }: Sampler,
  name: string,
  { tools = [], toolChoice = "auto", rounds = exchange.core.settings.limits.samplingRounds }: SampleRequest,
  { messages, ...params }: JsonObject & { messages: JsonObject[] },
): Promise<Sample> {
  const toolbox = createToolbox(exchange, tools);
  const conversation = [...messages];
  for (let round = 0; ; round += 1) {
    const mode = round === rounds ? "none" : round > 0 && toolChoice === "required" ? "auto" : toolChoice;
    const question: Question = {
      method: "sampling/createMessage",
      params: { ...params, messages: [...conversation], tools: toolbox.shown, toolChoice: { mode } },
    };
    const asked = round === 0 ? name : `${name}.${round + 1}`;
    const answer = await asker.ask(asked, question, (given) => readSample(given, true));
    const uses = usesOf(answer.content);
    if (uses.length === 0) return answer;
    if (mode === "none") throw usesForEver(round);
    const results: JsonObject[] = [];
    // One after the other, so that what one of them asks ends the run before the next one begins.
    for (const [at, use] of uses.entries()) {
      if (exchange.isDone) throw new Unanswered("nobody waits for this call any more");
      const basis = [question.params, use];
      results.push(await asker.keep(`${asked}#${at}`, basis, () => toolbox.use(use, call)));
    }
    conversation.push(
      { role: "assistant", content: oneOrMany(answer.content) },
      { role: "user", content: oneOrMany(results) },
    );
  }
}

function usesForEver(rounds: number): ToolError {
  return new ToolError(`The client's model still uses tools after ${rounds} rounds, where it had to answer.`, {
    code: "TOO_MANY_ROUNDS",
    details: { limit: "samplingRounds" },
  });
}
