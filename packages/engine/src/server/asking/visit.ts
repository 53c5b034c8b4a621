import type { Question } from "../../protocol/outcome.js";
import { readReaction, UNREADABLE } from "./ask-form.js";
import type { Asker } from "./asker.js";
import { isSecretName } from "./form-rules.js";

/** Asks a person to open a page, and gives whether they agreed to. */
export async function askVisit(
  asker: Asker,
  name: string,
  message: string,
  url: string,
  id: string | undefined,
): Promise<boolean> {
  if (typeof message !== "string") throw new TypeError(`The tool asks for the visit "${name}" without words`);
  const reason = urlFault(url);
  if (reason !== undefined) throw new TypeError(`Cannot ask for the visit "${name}": its address ${reason}`);
  if (id !== undefined && (typeof id !== "string" || id === ""))
    throw new TypeError(`Cannot ask for the visit "${name}": its id must be a non-empty string`);
  const question: Question = {
    method: "elicitation/create",
    params: { mode: "url", message, url },
    pageId: id ?? crypto.randomUUID(),
  };
  return asker.ask(name, question, (answer) => {
    const reaction = readReaction(answer);
    return reaction === undefined ? UNREADABLE : { value: reaction.action === "accept" };
  });
}

/** Says what is wrong with the address of a page; undefined where a person can be sent there. */
function urlFault(url: unknown): string | undefined {
  if (typeof url !== "string" || !URL.canParse(url)) return `is no URL: ${JSON.stringify(url)}`;
  const { protocol, hostname, username, password, searchParams } = new URL(url);
  if (protocol !== "https:" && !(protocol === "http:" && isLoopback(hostname)))
    return "must begin with https: (http: is for the local machine alone)";
  if (username !== "" || password !== "") return "must not carry a user name or a password";
  const secret = [...searchParams.keys()].find(isSecretName);
  if (secret !== undefined) return `must not carry access with it (${secret}): whoever reads it could use it`;
  return undefined;
}

function isLoopback(hostname: string): boolean {
  return /^(?:(?:.+\.)?localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
}
