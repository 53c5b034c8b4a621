import { createRedaction } from "@toolwright/engine/observability";
import { shellWord } from "@toolwright/kit/cli";
import type { Target } from "../../clients/client.js";
import { keysInPath } from "../url-keys.js";

/** What a server is, in a line for people: the command that starts it, or its URL. Secrets are not in it. */
export function showTarget(target: Target): string {
  if ("url" in target) return showUrl(target.url);
  return concealing(target)([target.command, ...target.args].map((word) => shellWord(word)).join(" "));
}

/** Takes out of a text what is secret about a server, and whatever else looks like a secret. */
export function concealing(target: Target): (text: string) => string {
  const redaction = createRedaction({ values: secretsOf(target) });
  return (text) => redaction.text(text);
}

/** Shorter texts stand everywhere, and are no secrets. */
const SHORTEST = 6;

/** What a client keeps for a server alone; nobody knows which of it is a secret, so all of it is taken for one. */
function secretsOf(target: Target): string[] {
  const kept = Object.values(("url" in target ? target.headers : target.env) ?? {});
  const words = kept.flatMap((value) => [value, ...value.split(/\s+/)]);
  const asked = "url" in target && URL.canParse(target.url) ? [...new URL(target.url).searchParams.values()] : [];
  const inPath = ("url" in target ? [target.url] : target.args).flatMap(keysInPath);
  return [...words, ...asked, ...inPath].filter((value) => value.length >= SHORTEST);
}

/** Whatever follows `?` may be a key, and so may a name or password before `@`, and a part of the path. */
function showUrl(text: string): string {
  // What holds references that could not be filled in may be no URL.
  const [shown = ""] = text.split(/[?#]/);
  const named = shown.replace(/(:\/\/)[^/]*@/, "$1…@");
  const bare = keysInPath(named).reduce((left, key) => left.replaceAll(`/${key}`, "/…"), named);
  return createRedaction().text(shown.length === text.length ? bare : `${bare}?…`);
}
