import { createRedaction } from "@toolwright/engine/observability";
import { shellWord } from "@toolwright/kit/cli";
import type { Target } from "../../clients/client.js";

/** What a server is, in a line for people: the command that starts it, or its URL. Secrets are not in it. */
export function showTarget(target: Target): string {
  if ("url" in target) return showUrl(target.url);
  return concealing(target)([target.command, ...target.args].map((word) => shellWord(word)).join(" "));
}

/** Removes the secrets of a server from a text, and everything that looks like a secret. */
export function concealing(target: Target): (text: string) => string {
  const redaction = createRedaction({ values: secretsOf(target) });
  return (text) => redaction.text(text);
}

/** Shorter texts are common, and are no secrets. */
const SHORTEST = 6;

/** The values that a client stores for a server; each can be a secret, so all are treated as secrets. */
function secretsOf(target: Target): string[] {
  const kept = Object.values(("url" in target ? target.headers : target.env) ?? {});
  const words = kept.flatMap((value) => [value, ...value.split(/\s+/)]);
  const asked = "url" in target && URL.canParse(target.url) ? [...new URL(target.url).searchParams.values()] : [];
  const inPath = ("url" in target ? [target.url] : target.args).flatMap(keysInPath);
  return [...words, ...asked, ...inPath].filter((value) => value.length >= SHORTEST);
}

/** The query may contain a key, and so may a name or password before `@`, and a part of the path. */
function showUrl(text: string): string {
  // What holds references that could not be filled in may be no URL.
  const [shown = ""] = text.split(/[?#]/);
  const named = shown.replace(/(:\/\/)[^/]*@/, "$1…@");
  const bare = keysInPath(named).reduce((left, key) => left.replaceAll(`/${key}`, "/…"), named);
  return createRedaction().text(shown.length === text.length ? bare : `${bare}?…`);
}

/** Shorter parts of a path are words, versions and small numbers. */
const SHORTEST_KEY = 16;
/** No word is this long. */
const LONGEST_WORD = 32;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const HEX = /^(?=.*\d)[0-9a-f]{20,}$/i;

/** The parts of a URL's path that look like keys: such a URL alone gives access to the server. */
export function keysInPath(url: string): readonly string[] {
  const [, path = ""] = /^[^:]+:\/\/[^/?#]*([^?#]*)/.exec(url) ?? [];
  return path.split("/").filter(isKey);
}

/** In random text lower case, capitals and digits alternate; in words they are grouped. */
function isKey(part: string): boolean {
  if (part.length < SHORTEST_KEY) return false;
  if (UUID.test(part) || HEX.test(part)) return true;
  const words = part.split(/[^A-Za-z0-9]+/);
  const turns = words.flatMap((word) => word.match(/[a-z](?=[A-Z0-9])|[A-Z](?=[a-z0-9])|[0-9](?=[A-Za-z])/g) ?? []);
  return turns.length >= part.length / 4 || words.some(({ length }) => length >= LONGEST_WORD);
}
