import { isObject, type Json } from "../../jsonrpc/json.js";
import type { Question } from "../../protocol/outcome.js";
import type { Root } from "../call.js";
import type { Exchange } from "../exchange.js";
import type { AnswerReading, Asker } from "./asker.js";

const QUESTION: Question = { method: "roots/list", params: {} };

/** Gives the client's roots: as its session remembers them, or by asking. */
export async function askRoots(exchange: Exchange, asker: Asker): Promise<readonly Root[]> {
  const { session } = exchange.link;
  const isRemembered = exchange.revision.handshake && tellsChanges(exchange);
  if (isRemembered && session.roots !== undefined) return session.roots;
  const { rootsChanges } = session;
  const roots = await asker.ask("roots", QUESTION, readRoots);
  if (isRemembered && session.rootsChanges === rootsChanges) session.roots = roots;
  return roots;
}

/** Without word of changes nobody would know when the remembered ones are wrong. */
function tellsChanges({ caller }: Exchange): boolean {
  const { roots } = caller.capabilities;
  return isObject(roots) && roots["listChanged"] === true;
}

function readRoots(answer: Json): AnswerReading<readonly Root[]> {
  const roots = isObject(answer) ? answer["roots"] : undefined;
  if (!Array.isArray(roots) || !roots.every(isRoot)) return { fault: "The client's list of roots could not be read." };
  const files = roots.filter(({ uri }) => /^file:\/\//i.test(uri) && URL.canParse(uri));
  return {
    value: Object.freeze(files.map(({ uri, name }) => Object.freeze(name === undefined ? { uri } : { uri, name }))),
  };
}

function isRoot(root: Json): root is { uri: string; name?: string } {
  return (
    isObject(root) &&
    typeof root["uri"] === "string" &&
    (root["name"] === undefined || typeof root["name"] === "string")
  );
}
