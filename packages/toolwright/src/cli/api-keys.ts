import { type ApiKey, hashApiKey } from "@toolwright/engine";

/** The environment variable with a key of its own, for places where secrets are given that way. */
const KEY_VARIABLE = "TOOLWRIGHT_API_KEY";

/** Reads lines of a name, the hash of its key and the scopes that it has, if it is limited. Throws an error with the line at fault. */
export function readApiKeys(file: string, text: string): ApiKey[] {
  const keys = text.split(/\r?\n/).flatMap((line, at): ApiKey[] => {
    const [principal = "", hash = "", ...scopes] = line
      .replace(/^\s*#.*/, "")
      .trim()
      .split(/\s+/);
    if (principal === "") return [];
    if (!/^[\da-f]{64}$/i.test(hash))
      throw new Error(
        `Cannot use ${file} (--api-key-file): line ${at + 1} must be a name and the hash of a key; "toolwright key NAME" makes one`,
      );
    return [{ principal, hash, ...(scopes.length > 0 && { scopes }) }];
  });
  if (keys.length === 0) throw new Error(`Cannot use ${file} (--api-key-file): there is no key in it`);
  return keys;
}

/** Takes the key out of an environment, so that no program that is started later gets it. Throws an error that does not show it. */
export function takeApiKey(env: NodeJS.ProcessEnv): ApiKey[] {
  const key = env[KEY_VARIABLE];
  delete env[KEY_VARIABLE];
  if (key === undefined) return [];
  try {
    return [{ principal: "api-key", hash: hashApiKey(key) }];
  } catch (error) {
    throw new Error((error as Error).message.replace(/^Cannot hash the API key/, `Cannot use ${KEY_VARIABLE}`), {
      cause: error,
    });
  }
}
