// What people can start from: messages for the model, made from what they fill in.
import { embeddedResource, image, prompt, user } from "@toolwright/engine";
import { z } from "zod";
import { PNG } from "./media.mjs";

const simple = prompt({
  name: "test_simple_prompt",
  description: "One message, and nothing to fill in.",
  run: () => "This is a simple prompt for testing.",
});

const withArguments = prompt({
  name: "test_prompt_with_arguments",
  description: "One message with two arguments in it.",
  input: z.object({
    arg1: z.string().describe("First test argument"),
    arg2: z.string().describe("Second test argument"),
  }),
  complete: {
    arg1: ["paris", "park", "party"],
    // The answer may depend on what is filled in already.
    arg2: (_typed, { arg1 = "something" }) => [`${arg1} today`, `${arg1} tomorrow`],
  },
  run: ({ arg1, arg2 }) => `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`,
});

const withResource = prompt({
  name: "test_prompt_with_embedded_resource",
  description: "A resource, and what to do with it.",
  input: z.object({ resourceUri: z.string().describe("URI of the resource to embed") }),
  run: ({ resourceUri }) => [
    user(embeddedResource(resourceUri, { text: "Embedded resource content for testing." }, "text/plain")),
    user("Please process the embedded resource above."),
  ],
});

const withImage = prompt({
  name: "test_prompt_with_image",
  description: "A picture, and what to do with it.",
  run: () => [user(image(PNG, "image/png")), user("Please analyze the image above.")],
});

const asking = prompt({
  name: "test_input_required_result_prompt",
  description: "Asks for what it needs before it gives its message.",
  async run(_input, call) {
    const form = z.object({ context: z.string().describe("What the prompt should know") });
    const answer = await call.elicit("user_context", "What context should the prompt use?", form);
    return `Use this context: ${answer?.context ?? "none"}`;
  },
});

export const prompts = [simple, withArguments, withResource, withImage, asking];
