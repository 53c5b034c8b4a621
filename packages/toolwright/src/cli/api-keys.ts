import { type ApiKey, hashApiKey } from "@toolwright/engine/http";

/**
 * Reads lines of a name, the hash of its key and the scopes that it has, if it is limited. `option` is what named the file.
 * Throws an error with the line at fault.
 */
export function readApiKeys(file: string, option: string, text: string): ApiKey[] {
  const keys = text.split(/\r?\n/).flatMap((line, at): ApiKey[] => {
    const [principal = "", hash = "", ...scopes] = line
      .replace(/^\s*#.*/, "")
      .trim()
      .split(/\s+/);
    if (principal === "") return [];
    if (!/^[\da-f]{64}$/i.test(hash))
      throw new Error(
        `Cannot use ${file} (${option}): line ${at + 1} must be a name and the hash of a key; "toolwright key NAME" makes one`,
      );
    return [{ principal, hash, ...(scopes.length > 0 && { scopes }) }];
  });
  if (keys.length === 0) throw new Error(`Cannot use ${file} (${option}): there is no key in it`);
  return keys;
}

/** Makes the hash of a key that was given as it is. Throws an error that names where, and does not show it. */
export function hashNamedKey(option: string, key: string): ApiKey {
  try {
    return { principal: "api-key", hash: hashApiKey(key) };
  } catch (error) {
    throw new Error((error as Error).message.replace(/^Cannot hash the API key/, `Cannot use ${option}`), {
      cause: error,
    });
  }
}
