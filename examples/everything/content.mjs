// What a tool can give: text, pictures, sound, resources, several of them, or a failure.
import { audio, content, embeddedResource, image, ToolError, text, tool } from "@toolwright/engine";
import { PNG, WAV } from "./media.mjs";

const simpleText = tool({
  name: "test_simple_text",
  description: "Gives one line of text.",
  annotations: { readOnlyHint: true },
  run: () => "This is a simple text response for testing.",
});

const imageContent = tool({
  name: "test_image_content",
  description: "Gives a picture.",
  run: () => content(image(PNG, "image/png")),
});

const audioContent = tool({
  name: "test_audio_content",
  description: "Gives a sound.",
  run: () => content(audio(WAV, "audio/wav")),
});

const embedded = tool({
  name: "test_embedded_resource",
  description: "Gives a resource inside the result.",
  run: () =>
    content(
      embeddedResource("test://embedded-resource", { text: "This is an embedded resource content." }, "text/plain"),
    ),
});

const severalKinds = tool({
  name: "test_multiple_content_types",
  description: "Gives text, a picture and a resource at once.",
  run: () =>
    content(
      text("Multiple content types test:"),
      image(PNG, "image/png"),
      embeddedResource(
        "test://mixed-content-resource",
        { text: JSON.stringify({ test: "data", value: 123 }) },
        "application/json",
      ),
    ),
});

const failing = tool({
  name: "test_error_handling",
  description: "Fails, in words that are for the model.",
  run() {
    throw new ToolError("This tool intentionally returns an error for testing");
  },
});

export const contentTools = [simpleText, imageContent, audioContent, embedded, severalKinds, failing];
