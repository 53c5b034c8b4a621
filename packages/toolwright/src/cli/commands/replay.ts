import { defineCommand, JSON_OPTION } from "@toolwright/kit/cli";
import { SERVER_COMMAND, TARGET_OPTIONS } from "../use/server-options.js";

/** `toolwright replay`. */
export const replay = defineCommand({
  name: "replay",
  summary: "Replay a recording and show what differs",
  group: "using",
  description:
    '"toolwright serve --record FILE" makes a recording. Its requests are sent again in order, and elicitations get the recorded ' +
    "answers. Without a server they are sent to this build, with an empty state folder that is removed afterwards. Calls have their " +
    "effects again: replay a recording only where they may.",
  args: {
    file: { required: true, complete: "file", description: "The recording." },
    url: { placeholder: "URL", description: "The server: http, https, ws or wss.", complete: async () => [] },
  },
  options: {
    transport: {
      type: "string",
      choices: ["stdio", "http", "ws", "socket", "memory"],
      placeholder: "NAME",
      shownDefault: "stdio",
      description: "How to connect to this build.",
    },
    session: { type: "integer", min: 1, description: "Replay only this session." },
    ignore: {
      type: "string",
      multiple: true,
      placeholder: "PATH",
      description: "Do not compare this, such as structuredContent.now. * matches one name, ** any number of names.",
    },
    skipRedacted: { type: "boolean", description: "Skip requests from which secrets were removed." },
    json: JSON_OPTION,
    ...TARGET_OPTIONS,
  },
  trailing: SERVER_COMMAND,
  exitCodes: {
    0: "Everything that was compared is the same.",
    1: "Something differs.",
    2: "The command line is invalid, or the file is not a recording with requests to replay.",
    3: "The server cannot be reached.",
  },
  examples: [
    "toolwright replay session.jsonl",
    "toolwright replay session.jsonl --transport http --session 1",
    "toolwright replay session.jsonl --ignore '**.now' -- node my-server.mjs",
  ],
  run: async (input, ctx) => (await import("../replay/replay.js")).runReplay(input, ctx),
});
