import { defineCommand, UsageError } from "@toolwright/kit/cli";

/** `toolwright key`. */
export const key = defineCommand({
  name: "key",
  summary: "Create an API key for a client",
  group: "serving",
  description:
    "Prints the line for --api-key-file to stdout; it has a hash, not the key. The key itself is printed to stderr, only this once.",
  args: {
    name: { required: true, description: "The name of the client." },
    scopes: {
      multiple: true,
      placeholder: "SCOPE",
      description: 'What the key is for; "toolwright serve --scope" requires scopes.',
    },
  },
  examples: [
    "toolwright key ada >> keys.txt",
    "toolwright key ci read >> keys.txt",
    "toolwright serve --http 0.0.0.0:8080 --api-key-file keys.txt --allow-host tools.example",
  ],
  async run({ name, scopes }) {
    const invalid = [name, ...scopes].find((word) => !/^[!-~]+$/.test(word) || word.startsWith("#"));
    if (invalid !== undefined)
      throw new UsageError(`"${invalid}" is not a valid name or scope: use letters, digits and punctuation, no spaces`);
    const [{ randomBytes }, { hashApiKey }] = await Promise.all([
      import("node:crypto"),
      import("@toolwright/engine/http"),
    ]);
    const secret = `tw_${randomBytes(32).toString("base64url")}`;
    process.stderr.write(
      `The API key of ${name}, which is shown only now: ${secret}\nClients send it in the header Authorization: Bearer ${secret}\n`,
    );
    process.stdout.write(`${[name, hashApiKey(secret), ...scopes].join(" ")}\n`);
  },
});
