import { randomBytes } from "node:crypto";
import { hashApiKey } from "@toolwright/engine/http";
import { UsageError } from "@toolwright/kit/cli";

/** Makes an API key: the line for `--api-key-file` goes to stdout, the key itself, this once, to stderr. */
export function makeKey(words: readonly string[]): void {
  const [name, ...scopes] = words;
  const wrong = words.find((word) => word.startsWith("-") || !/^[!-~]+$/.test(word) || word.startsWith("#"));
  if (wrong !== undefined) throw new UsageError(`"${wrong}" is no name and no scope`);
  if (name === undefined) throw new UsageError("key needs a name");
  const key = `tw_${randomBytes(32).toString("base64url")}`;
  process.stderr.write(
    `The key of ${name}, shown only now: ${key}\nA client sends it in the header Authorization: Bearer ${key}\n`,
  );
  process.stdout.write(`${[name, hashApiKey(key), ...scopes].join(" ")}\n`);
}
