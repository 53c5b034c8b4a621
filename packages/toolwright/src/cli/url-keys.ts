/** Shorter parts of a path are words, versions and small numbers. */
const SHORTEST = 16;
/** No word is as long, whatever it is made of. */
const LONGEST_WORD = 32;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const HEX = /^(?=.*\d)[0-9a-f]{20,}$/i;

/** The parts of a URL's path that look like keys: whoever knows such an address may use the server. */
export function keysInPath(url: string): readonly string[] {
  const [, path = ""] = /^[^:]+:\/\/[^/?#]*([^?#]*)/.exec(url) ?? [];
  return path.split("/").filter(isKey);
}

/** In what is made by chance, small letters, capitals and digits take turns; in words they stand together. */
function isKey(part: string): boolean {
  if (part.length < SHORTEST) return false;
  if (UUID.test(part) || HEX.test(part)) return true;
  const words = part.split(/[^A-Za-z0-9]+/);
  const turns = words.flatMap((word) => word.match(/[a-z](?=[A-Z0-9])|[A-Z](?=[a-z0-9])|[0-9](?=[A-Za-z])/g) ?? []);
  return turns.length >= part.length / 4 || words.some(({ length }) => length >= LONGEST_WORD);
}
