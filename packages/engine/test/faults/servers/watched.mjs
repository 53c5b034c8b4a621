// A server on stdio whose calls are recorded: AUDIT and RECORD have the options of `audit` and `recordTo`.
import { createServer, serveStdio, tool } from "@toolwright/engine";
import { audit, recordTo } from "@toolwright/engine/observability";

const parseEnv = (name) => (process.env[name] === undefined ? undefined : JSON.parse(process.env[name]));

const echo = tool({
  name: "echo",
  description: "Gives back the text.",
  input: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
  run({ text }) {
    process.stderr.write(`echo ${text.slice(0, 20)}\n`);
    return text;
  },
});

await serveStdio(async () => {
  const [audited, recorded] = [parseEnv("AUDIT"), parseEnv("RECORD")];
  const middleware = audited === undefined ? [] : [audit(audited)];
  const server = createServer({ name: "watched", version: "1.0.0", tools: [echo], middleware });
  if (recorded !== undefined) await recordTo(server, recorded);
  return server;
});
