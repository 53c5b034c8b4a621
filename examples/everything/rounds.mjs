// Questions one after the other, and several at once. Where a client has to call again with its answers, the engine keeps
// the ones before in a signed state: a tool never sees it.
import { tool } from "@toolwright/engine";
import { z } from "zod";

const NAME = z.object({ name: z.string() });
const SURE = z.object({ ok: z.boolean() });

const once = tool({
  name: "test_input_required_result_elicitation",
  description: "Asks for a name and says hello.",
  async run(_input, call) {
    const answer = await call.elicit("user_name", "What is your name?", NAME);
    return answer ? `Hello, ${answer.name}!` : "Hello, whoever you are!";
  },
});

const sealed = tool({
  name: "test_input_required_result_request_state",
  description: "Asks for a yes; its state goes to the client and comes back.",
  async run(_input, call) {
    const answer = await call.elicit("confirm", "Please confirm to go on.", SURE);
    return `state-ok: ${answer?.ok ? "confirmed" : "not confirmed"}`;
  },
});

const tamperProof = tool({
  name: "test_input_required_result_tampered_state",
  description: "Asks for a yes; a state that was changed on the way is refused.",
  async run(_input, call) {
    const answer = await call.elicit("confirm", "Please confirm to go on.", SURE);
    return answer?.ok ? "Confirmed." : "Not confirmed.";
  },
});

const twice = tool({
  name: "test_input_required_result_multi_round",
  description: "Asks for a name, and with it for a colour.",
  async run(_input, call) {
    const first = await call.elicit("step1", "Step 1: what is your name?", NAME);
    const name = first?.name ?? "whoever you are";
    const second = await call.elicit(
      "step2",
      `Step 2: ${name}, which colour do you like?`,
      z.object({ color: z.string() }),
    );
    return `${name} likes ${second?.color ?? "no colour"}.`;
  },
});

const atOnce = tool({
  name: "test_input_required_result_multiple_inputs",
  description: "Asks a person, a model and the client at the same time.",
  async run(_input, call) {
    const [answer, greeting, roots] = await Promise.all([
      call.elicit("user_name", "What is your name?", NAME),
      call.sample("greeting", { prompt: "Write a greeting.", maxTokens: 100 }),
      call.roots(),
    ]);
    return `${greeting.text} ${answer?.name ?? "Whoever you are"}, you have ${roots.length} roots.`;
  },
});

const whatIsThere = tool({
  name: "test_input_required_result_capabilities",
  description: "Asks whom it can: a person, else a model, else nobody.",
  async run(_input, call) {
    if (call.supports("elicit")) {
      const answer = await call.elicit("user_name", "What is your name?", NAME);
      return `A person: ${answer?.name ?? "no name"}`;
    }
    if (call.supports("sample")) {
      const { text } = await call.sample("greeting", { prompt: "Write a greeting." });
      return `A model: ${text}`;
    }
    return "There is nobody to ask.";
  },
});

export const roundTools = [once, sealed, tamperProof, twice, atOnce, whatIsThere];
